// Calls of ops on handles: at once if all is there, else as an OpTask.

#include "execute_op.h"

#include <cassert>
#include <utility>
#include <vector>

#include "lib/ops/op_call/convert_tensor.h"
#include "lib/ops/op_call/op_task.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/small_array.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Most calls have few arguments and results.
constexpr size_t kInline = 6;

template <typename T>
using CallArray = SmallArray<T, kInline>;

Status CheckHandles(const OpDefinition& op, std::span<const TensorHandle> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].valid()) continue;
    if (i < op.arguments.size() && op.arguments[i].kind == OpArgumentSpec::Kind::kOptional)
      continue;
    return InvalidArgumentError(StrCat(
        op.name, ": argument ", i, " is a handle without a tensor; it may have been moved from"));
  }
  return OkStatus();
}

// All bits, for handles: one with the last reference to its tensor gives that up with its call, and
// the values' own counts tell which those are.
uint64_t AllLastUses(size_t num_arguments) {
  return num_arguments >= 64 ? ~uint64_t{0} : (uint64_t{1} << num_arguments) - 1;
}

// Returns the device that has the results.
const RCReference<Device>& DeviceOfResults(const OpDefinition& op, const OpPlace& place,
                                           const ExecutionContext& exec_ctx) {
  if (!HasFlag(op.flags, OpFlags::kHostResults)) [[likely]]
    return place.device;
  return exec_ctx.host()->device_manager().host_device();
}

// A call that waits for its arguments.
class PendingCall final : public OpTask {
 public:
  // `metadata` are the results' if they are known.
  PendingCall(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation,
              bool known_metadata, std::span<const TensorMetadata> known);

  // Runs when what it waits for is there: first the arguments' metadata, if those of the results
  // have been promised, and then, perhaps much later, the tensors.
  void Begin();

 private:
  void RunWhenArgumentsAreThere();
  // The arguments' metadata are there.
  void KeepPromises();
  const OpPlace& place() const override { return place_; }
  PoolVector<AsyncValue*> Arguments() const override;
  AsyncValueRef<Tensor> Converted(size_t index, AsyncValue* value) override;
  void Publish(Outcome outcome) override;

  const OpPlace place_;
  PoolVector<TensorHandle> handles_;                           // the arguments
  PoolVector<TensorHandle::AsyncMetadata> metadata_promises_;  // if not known at the call
  Status metadata_error_;
};

PendingCall::PendingCall(const OpDefinition& op, const OpPlace& place,
                         const OpInvocation& invocation, bool known_metadata,
                         std::span<const TensorMetadata> known)
    : OpTask(op, invocation.exec_ctx, place.is_on_host()), place_(place) {
  attrs = invocation.attrs.Freeze();
  last_uses = AllLastUses(invocation.arguments.size());
  for (TensorHandle& argument : invocation.arguments) {
    handles_.push_back(std::move(argument));
  }
  if (invocation.chain) {
    if (op.has_side_effects()) {
      chain = MakeIndirectAsyncValue();
      chain_in = std::move(*invocation.chain);
      *invocation.chain = AsyncValueRef<Chain>(RCReference<AsyncValue>(chain));
    } else if (!invocation.chain->IsAvailable()) {
      chain_in = invocation.chain->CopyRef();
    }
  }
  if (known_metadata) SetMetadata(known);
  const RCReference<Device>& device = DeviceOfResults(op, place, exec_ctx);
  for (size_t i = 0; i < invocation.results.size(); ++i) {
    results.push_back(MakeIndirectAsyncValue());
    AsyncValueRef<Tensor> tensor{RCReference<AsyncValue>(results.back())};
    if (known_metadata) {
      invocation.results[i] = TensorHandle(device, known[i], std::move(tensor));
    } else if (op.has_early_metadata) {
      metadata_promises_.push_back(MakeUnconstructedAsyncValueRef<TensorMetadata>());
      invocation.results[i] =
          TensorHandle(device, metadata_promises_.back().CopyRef(), std::move(tensor));
    } else {
      invocation.results[i] = TensorHandle(device, std::move(tensor));
    }
  }
}

void PendingCall::Begin() {
  if (metadata_promises_.empty()) return RunWhenArgumentsAreThere();
  std::vector<AsyncValue*> awaited;
  for (const TensorHandle& handle : handles_) {
    if (!handle.valid()) continue;
    if (AsyncValue* pending = handle.async_metadata()) awaited.push_back(pending);
  }
  RunWhenReady(awaited, [this] {
    KeepPromises();
    RunWhenArgumentsAreThere();
  });
}

void PendingCall::KeepPromises() {
  CallArray<const TensorMetadata*> known(handles_.size());
  Status error;
  for (size_t i = 0; i < handles_.size() && error.ok(); ++i) {
    if (!handles_[i].valid()) continue;
    known[i] = handles_[i].AvailableMetadata();
    // The tensor is the same error, or will be.
    if (!known[i]) error = handles_[i].async_metadata()->GetError();
  }
  if (error.ok()) error = metadata_error_ = ComputeMetadata(known.span());
  for (size_t i = 0; i < metadata_promises_.size(); ++i) {
    if (error.ok()) {
      metadata_promises_[i].emplace(metadata()[i]);
    } else {
      metadata_promises_[i].SetError(error);
    }
  }
}

void PendingCall::RunWhenArgumentsAreThere() {
  RunWhenReady(Awaited(), [this] {
    if (metadata_error_.ok() || FirstError(Arguments())) return Run();
    Fail(MakeErrorAsyncValue(metadata_error_));
  });
}

PoolVector<AsyncValue*> PendingCall::Arguments() const {
  PoolVector<AsyncValue*> values;
  for (const TensorHandle& handle : handles_) values.push_back(handle.async_tensor());
  return values;
}

AsyncValueRef<Tensor> PendingCall::Converted(size_t index, AsyncValue* value) {
  const TensorHandle& handle = handles_[index];
  Device* from = handle.IsDeviceAvailable() ? handle.AvailableDevice().get() : nullptr;
  return ReportLateError(ArgumentForOp(op, place_, {index, handles_.size()}, value, from, exec_ctx),
                         exec_ctx);
}

void PendingCall::Publish(Outcome outcome) {
  handles_.clear();
  PublishResults(outcome);
  delete this;
}

}  // namespace

void ExecuteOp(const OpDefinition& op, const OpPlace& place, const OpInvocation& invocation) {
  assert(place.runner && "places are made by OpPlace::On");
  std::span<TensorHandle> arguments = invocation.arguments;
  if (!place.Has(op)) {
    return invocation.ReportError(
        NotFoundError(StrCat(op.name, " was not supported by NullOpHandler.")));
  }
  if (Status valid = CheckHandles(op, arguments); !valid.ok()) {
    return invocation.ReportError(std::move(valid));
  }
  bool ready = !invocation.chain || invocation.chain->IsAvailable();
  bool know_metadata = true;
  const bool takes_dense = place.is_on_host();
  CallArray<AsyncValue*> values(arguments.size());
  CallArray<const TensorMetadata*> argument_metadata(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].valid()) continue;
    const AsyncValueRef<Tensor>& tensor = arguments[i].tensor();
    if (tensor.IsError()) return invocation.SetErrors(tensor.CopyRCRef());
    values[i] = tensor.GetAsyncValue();
    argument_metadata[i] = arguments[i].AvailableMetadata();
    if (!argument_metadata[i]) know_metadata = false;
    if (takes_dense && values[i]->GetIfPlain<DenseHostTensor>()) continue;
    if (!tensor.IsConcrete() || !TakesArgument(op, place, {i, arguments.size()}, *tensor))
      ready = false;
  }
  if (invocation.chain && invocation.chain->IsAvailable() && invocation.chain->IsError()) {
    return invocation.SetErrors(invocation.chain->CopyRCRef());
  }
  if (AsyncValue* cancelled = invocation.exec_ctx.request_ctx()->GetCancelAsyncValue()) {
    return invocation.SetErrors(FormRef(cancelled));
  }
  CallArray<TensorMetadata> metadata(invocation.results.size());
  know_metadata = know_metadata && op.has_early_metadata;
  if (know_metadata) {
    Status status =
        ComputeOpMetadata(op, argument_metadata.span(), invocation.attrs, metadata.span());
    if (!status.ok()) return invocation.ReportError(std::move(status));
  }
  auto known = know_metadata ? metadata.span() : std::span<TensorMetadata>();
  if (!ready) return (new PendingCall(op, place, invocation, know_metadata, known))->Begin();

  CallArray<RCReference<AsyncValue>> out(invocation.results.size());
  OpOutcome outcome = RunOpOn(place, {.op = op,
                                      .device = *place.device,
                                      .allocator = place.allocator,
                                      .exec_ctx = invocation.exec_ctx,
                                      .arguments = values.span(),
                                      .last_uses = AllLastUses(arguments.size()),
                                      .attrs = invocation.attrs,
                                      .result_metadata = known,
                                      .results = out.span()});
  const RCReference<Device>& device = DeviceOfResults(op, place, invocation.exec_ctx);
  for (size_t i = 0; i < out.size(); ++i) {
    AsyncValueRef<Tensor> tensor(std::move(out[i]));
    invocation.results[i] = know_metadata
                                ? TensorHandle(device, std::move(metadata[i]), std::move(tensor))
                                : TensorHandle(device, std::move(tensor));
  }
  // The chain of an op without side effects is passed through, here as in calls that wait.
  if (!invocation.chain || !op.has_side_effects()) return;
  if (!outcome.error.ok()) {
    *invocation.chain = AsyncValueRef<Chain>(outcome.error);
  } else if (outcome.chain) {
    *invocation.chain = std::move(outcome.chain);
  }
}

}  // namespace tfrt
