#include "stream_call.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "lib/ops/op_call/op_function_scope.h"
#include "lib/ops/op_call/run_op.h"
#include "lib/runtime/host/timeline.h"
#include "lib/runtime/tensor/conversion.h"
#include "sim_conversions.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::sim::internal {

StreamCall::StreamCall(const OpRun& run)
    : op_(run.op),
      device_(static_cast<SimDevice&>(run.device)),
      allocator_(run.allocator),
      exec_ctx_(run.exec_ctx),
      attrs_(run.attrs.Freeze()),
      ticket_(run.exec_ctx.host()->work_queue().MakeTicket()),
      text_{run.op, run.exec_ctx.location(), run.explain, {}, {}},
      arguments_(run.arguments.size()),
      metadata_(run.result_metadata.begin(), run.result_metadata.end()) {
  text_.arguments.resize(run.arguments.size());
  text_.is_given.resize(run.arguments.size());
  for (size_t i = 0; i < run.arguments.size(); ++i) {
    AsyncValue* value = run.arguments[i];
    if (!value) continue;
    const auto& tensor = value->get<Tensor>();
    Argument& argument = arguments_[i];
    argument.is_given = text_.is_given[i] = true;
    text_.arguments[i] = tensor.metadata();
    if (tensor.tensor_type() != kDenseSimTensorType) {
      argument.host_value = FormRef(value);
      continue;
    }
    const SimBuffer& buffer = *static_cast<const DenseSimTensor&>(tensor).buffer();
    argument.elements = AsyncValueRef<Chain>(FormRef(buffer.elements()));
    argument.operand = operands_.size();
    operands_.push_back({buffer.address(), buffer.size_bytes(), Operand::Use::kRead});
  }
}

StreamCall::~StreamCall() {
  if (is_over_) return;
  Fail(InternalError(StrCat(op_.name, ": ", device_.name(), " has stopped before the op ran")));
}

void StreamCall::AddResult(const SimBuffer& buffer, AsyncValueRef<Chain> elements) {
  results_.push_back({std::move(elements), operands_.size()});
  operands_.push_back({buffer.address(), buffer.size_bytes(), Operand::Use::kWrite});
}

void StreamCall::AddLateResult(RCReference<IndirectAsyncValue> result) {
  late_results_.push_back(std::move(result));
}

Status StreamCall::ErrorBefore() const {
  for (const Argument& argument : arguments_) {
    // Written before on this stream, or on one that this has waited for.
    if (argument.elements && argument.elements.IsError()) return argument.elements.GetError();
  }
  AsyncValue* cancelled = exec_ctx_.request_ctx()->GetCancelAsyncValue();
  return cancelled ? cancelled->GetError() : OkStatus();
}

void StreamCall::Run(std::span<std::byte* const> addresses) {
  if (Status error = ErrorBefore(); !error.ok()) return Fail(error);
  std::vector<RCReference<AsyncValue>> values;
  Status effect_error = Compute(addresses, &values);
  for (size_t i = 0; i < results_.size(); ++i) {
    Publish(results_[i], *values[i], addresses[results_[i].operand]);
  }
  if (late_results_.empty()) values.clear();
  // They are copied when the stream has gone on.
  for (RCReference<AsyncValue>& value : values)
    value = WithoutOperands(std::move(value), addresses);
  Finish(std::move(values), std::move(effect_error));
}

Status StreamCall::Compute(std::span<std::byte* const> addresses,
                           std::vector<RCReference<AsyncValue>>* values) {
  std::vector<AsyncValueRef<DenseHostTensor>> owned;
  std::vector<AsyncValue*> arguments;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    arguments.push_back(argument.host_value.get());
    if (argument.host_value || !argument.is_given) continue;
    const Operand& operand = operands_[argument.operand];
    // Read-only, so that no op writes in place what the stream may read again.
    auto tensor = DenseHostTensor::CreateFromBuffer(
        text_.arguments[i],
        HostBuffer::CreateFromConstant(addresses[argument.operand], operand.size_bytes));
    owned.push_back(MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(tensor)));
    arguments.back() = owned.back().GetAsyncValue();
  }
  values->resize(results_.size() + late_results_.size());
  OpOutcome outcome;
  {
    TimelineScope on_timeline;
    OpFunctionScope in_op;
    outcome =
        RunOp(op_, exec_ctx_, allocator_, arguments, /*last_uses=*/0, attrs_, metadata_, *values);
  }
  Status error = std::move(outcome.error);
  if (outcome.chain) {
    // The op is not over before.
    TimelineScope::SleepUntil(outcome.chain.GetAsyncValue());
    if (outcome.chain.IsError()) error = outcome.chain.GetError();
  }
  for (RCReference<AsyncValue>& value : *values) {
    TimelineScope::SleepUntil(value.get());
    if (value->IsError()) {
      value = MakeErrorAsyncValue(text_.Of(outcome.refused.get(), value->GetError()));
    }
  }
  return error.ok() ? error : text_.Of(outcome.refused.get(), error);
}

RCReference<AsyncValue> StreamCall::WithoutOperands(RCReference<AsyncValue> value,
                                                    std::span<std::byte* const> addresses) const {
  if (value->IsError() || !value->IsType<DenseHostTensor>()) return value;
  const auto& tensor = value->get<DenseHostTensor>();
  const auto begin = reinterpret_cast<uintptr_t>(tensor.data());
  bool is_operand = false;
  for (size_t i = 0; i < operands_.size(); ++i) {
    const auto operand = reinterpret_cast<uintptr_t>(addresses[i]);
    is_operand |= begin >= operand && begin - operand < operands_[i].size_bytes;
  }
  if (!is_operand) return value;
  auto copy = DenseHostTensor::CreateUninitialized(tensor.metadata(), allocator_);
  Status status = copy.ok() ? tensor.CopyTo(*copy) : copy.status();
  if (!status.ok()) return MakeErrorAsyncValue(text_.Of(&tensor.metadata(), status));
  return MakeAvailableAsyncValueRef<DenseHostTensor>(*std::move(copy)).ReleaseRCRef();
}

Status StreamCall::Text::Of(const TensorMetadata* refused, const Status& error) const {
  if (!explain) return error;
  std::vector<const TensorMetadata*> metadata;
  for (size_t i = 0; i < arguments.size(); ++i) {
    metadata.push_back(is_given[i] ? &arguments[i] : nullptr);
  }
  return explain(op, where, metadata, refused, error);
}

RCReference<AsyncValue> StreamCall::OnDevice(const RCReference<AsyncValue>& value,
                                             SimDevice& device, const ExecutionContext& exec_ctx,
                                             const Text& text) {
  if (value->IsError()) return value;
  const auto& tensor = value->get<Tensor>();
  if (DTypeSize(tensor.dtype()) == 0) return value;
  auto copy = [&]() -> StatusOr<DenseSimTensor> {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor dense, ToDenseHostTensor(tensor, exec_ctx));
    return CopyToSim(dense, device, exec_ctx);
  }();
  if (!copy.ok()) return MakeErrorAsyncValue(text.Of(&tensor.metadata(), copy.status()));
  return MakeAvailableAsyncValueRef<DenseSimTensor>(*std::move(copy)).ReleaseRCRef();
}

void StreamCall::Publish(const Result& result, const AsyncValue& value, std::byte* address) {
  if (value.IsError()) return result.elements.SetError(value.GetError());
  StatusOr<DenseHostTensor> dense = ToDenseHostTensor(value.get<Tensor>(), exec_ctx_);
  if (!dense.ok()) return result.elements.SetError(text_.Of(nullptr, dense.status()));
  if (dense->size_bytes() > 0) std::memcpy(address, dense->data(), dense->size_bytes());
  result.elements.emplace();
}

void StreamCall::Fail(const Status& error) {
  for (const Result& result : results_) result.elements.SetError(error);
  std::vector<RCReference<AsyncValue>> values;
  if (!late_results_.empty()) values.assign(late_results_.size(), MakeErrorAsyncValue(error));
  Finish(std::move(values), error);
}

void StreamCall::Finish(std::vector<RCReference<AsyncValue>> late_values, Status effect_error) {
  is_over_ = true;
  bool holds_host_values = false;
  for (const Argument& argument : arguments_) {
    holds_host_values |= static_cast<bool>(argument.host_value);
  }
  if (late_results_.empty() && !chain_ && !holds_host_values) return ticket_.Drop();
  // The next steps may compute, or free memory of another library. Neither is allowed on the thread
  // of a stream.
  ticket_.AddTask([late_results = std::move(late_results_), late_values = std::move(late_values),
                   chain = std::move(chain_), effect_error = std::move(effect_error),
                   arguments = std::move(arguments_), device = FormRef(&device_),
                   exec_ctx = exec_ctx_, text = std::move(text_)]() mutable {
    arguments.clear();
    for (size_t i = 0; i < late_results.size(); ++i) {
      late_results[i]->ForwardTo(OnDevice(late_values[i], *device, exec_ctx, text));
    }
    if (!chain) return;
    if (effect_error.ok()) {
      chain.emplace();
    } else {
      chain.SetError(std::move(effect_error));
    }
  });
}

}  // namespace tfrt::sim::internal
