#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sim_device.h"
#include "sim_tensor.h"
#include "stream_call.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::sim {
namespace {

using internal::StreamCall;

class SimOpRunner final : public OpRunner {
 public:
  bool Has(const OpDefinition& op) const override { return op.function != nullptr; }
  bool Accepts(const OpDefinition& op, const Tensor& tensor) const override {
    return tensor.tensor_type() == kDenseSimTensorType || AcceptsTensor(op, tensor);
  }
  OpOutcome Run(const OpRun& run) const override;
};

OpOutcome Fail(const OpRun& run, Status error, const TensorMetadata* refused = nullptr) {
  OpOutcome outcome;
  outcome.error = EmitError(run.exec_ctx, std::move(error));
  if (refused) outcome.refused = std::make_unique<TensorMetadata>(*refused);
  RCReference<AsyncValue> value = MakeErrorAsyncValue(outcome.error);
  for (auto& result : run.results) result = value;
  return outcome;
}

// Numbers whose shape is known have their place before the op runs.
bool CanBeAllocated(const TensorMetadata& metadata) { return DTypeSize(metadata.dtype) > 0; }

OpOutcome SimOpRunner::Run(const OpRun& run) const {
  if (Status status = TimelineScope::Check(StrCat(run.op.name, " on ", run.device.name()));
      !status.ok()) {
    return Fail(run, std::move(status));
  }
  auto& device = static_cast<SimDevice&>(run.device);
  Stream& compute = device.accelerator().compute();
  // First all that may fail, so that nothing has been promised then.
  bool is_late = run.result_metadata.empty() && !run.results.empty();
  is_late |= !std::ranges::all_of(run.result_metadata, CanBeAllocated);
  std::vector<RCReference<SimBuffer>> buffers;
  for (size_t i = 0; i < run.results.size() && !is_late; ++i) {
    const TensorMetadata& metadata = run.result_metadata[i];
    StatusOr<size_t> size_bytes = DenseHostTensor::SizeBytes(metadata);
    if (!size_bytes.ok()) return Fail(run, size_bytes.status(), &metadata);
    auto buffer = SimBuffer::Allocate(FormRef(&device), run.op.name, *size_bytes);
    if (!buffer.ok()) return Fail(run, buffer.status(), &metadata);
    buffers.push_back(*std::move(buffer));
  }
  auto call = std::make_unique<StreamCall>(run);
  std::vector<AsyncValueRef<Chain>> elements;
  for (const RCReference<SimBuffer>& buffer : buffers) {
    elements.push_back(MakeUnconstructedAsyncValueRef<Chain>());
    call->AddResult(*buffer, elements.back().CopyRef());
  }
  if (is_late) {
    for (RCReference<AsyncValue>& result : run.results) {
      RCReference<IndirectAsyncValue> late = MakeIndirectAsyncValue();
      result = late;
      call->AddLateResult(std::move(late));
    }
  }
  OpOutcome outcome;
  if (run.op.has_side_effects()) {
    outcome.chain = MakeUnconstructedAsyncValueRef<Chain>();
    call->SetChain(outcome.chain.CopyRef());
  }
  for (AsyncValue* argument : run.arguments) {
    if (!argument || argument->get<Tensor>().tensor_type() != kDenseSimTensorType) continue;
    static_cast<const DenseSimTensor&>(argument->get<Tensor>()).buffer()->OrderReads(compute);
  }
  std::vector<Operand> operands = call->operands();
  compute.Launch(run.op.name, std::move(operands),
                 [call = std::move(call)](std::span<std::byte* const> addresses) {
                   call->Run(addresses);
                   return OkStatus();
                 });
  if (buffers.empty()) return outcome;
  Event event = compute.Record();
  for (size_t i = 0; i < buffers.size(); ++i) {
    buffers[i]->SetWritten(event, std::move(elements[i]));
    run.results[i] =
        MakeAvailableAsyncValueRef<DenseSimTensor>(run.result_metadata[i], std::move(buffers[i]))
            .ReleaseRCRef();
  }
  return outcome;
}

}  // namespace

std::unique_ptr<const OpRunner> MakeSimOpRunner() { return std::make_unique<SimOpRunner>(); }

}  // namespace tfrt::sim
