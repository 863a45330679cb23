// How ExecutePrepared goes, for the two files that compile it: with records and without them.
#ifndef TFRT_EAGER_EXECUTE_PREPARED_BODY_H_
#define TFRT_EAGER_EXECUTE_PREPARED_BODY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "context_impl.h"
#include "messages.h"
#include "node.h"
#include "op_scope.h"
#include "prepare.h"
#include "tfrt/core_runtime/run_op.h"

namespace tfrt::eager {

// ExecutePrepared, with a CallRecord or without one.
template <typename Record>
[[gnu::always_inline]] inline bool ExecutePreparedWith(Scope::State& scope, const OpDefinition& op,
                                                       std::span<TensorArgument> arguments,
                                                       const OpAttrsRef& attrs, Tensor& result,
                                                       Location where, Status* status) {
  Context::Impl& context = scope.context;
  size_t count = arguments.size();
  if (count > CallKey::kPacked || !op.metadata || op.has_side_effects()) return false;
  AsyncValue* values[CallKey::kPacked];
  const TensorMetadata* known[CallKey::kPacked];
  uint64_t packed = 0, devices = 0;
  bool integers = count > 0, late = false;
  // relaxed: see GetIfPlain.
  const uint32_t dense = tfrt::internal::kind_of<DenseHostTensor>.load(std::memory_order_relaxed);
  for (size_t i = 0; i < count; ++i) {
    const TensorState* state = arguments[i].state();
    if (!state || state->core() != scope.core) return false;
    AsyncValue* value = state->value();
    const tfrt::Tensor* tensor = value->GetIfPlain<DenseHostTensor>(dense);
    if (!tensor) [[unlikely]] {
      if (!value->IsConcrete()) return false;
      tensor = &value->get<tfrt::Tensor>();
      if (!AcceptsTensor(op, *tensor)) return false;
    }
    const TensorMetadata& metadata = tensor->metadata();
    values[i] = value;
    known[i] = &metadata;
    packed |= uint64_t{CallKey::WordOf(metadata.dtype, state->device())} << 16 * i;
    devices |= uint64_t{state->device()} << 16 * i;
    late |= state->is_late();
    integers = integers && !late && IsSmallIntegers(context, metadata, state->device());
  }
  Record record(op);
  CallKey key(op, attrs, packed, count, scope.device, integers);
  const KernelCacheEntry* entry = scope.FindCall(key, key.Hash());
  if (!entry || scope.exec_ctx.request_ctx()->IsCancelled()) return false;
  // All on the op's device, which the host runs itself and where nothing is read on the host.
  uint8_t device = entry->placement.direct_device;
  if (device != kHostDevice && op.description->has_host_values()) return false;
  if (count > 0) {
    uint64_t everywhere = 0x0001000100010001u >> 16 * (CallKey::kPacked - count);
    if (devices != device * everywhere) return false;
  } else if (device == Placement::kNotDirect) {
    return false;
  }
  CountHit(scope);
  HostAllocator* allocator = record.AllocatorOf(context.devices[device]);
  const uint64_t last_uses = LastUses(arguments);
  TensorMetadata metadata;
  RCReference<AsyncValue> out;
  Status error = op.metadata({known, count}, attrs, {&metadata, 1});
  if (error.ok()) [[likely]] {
    OpCall::Parts parts{.op = &op,
                        .exec_ctx = &scope.exec_ctx,
                        .allocator = allocator,
                        .attrs = &attrs,
                        .arguments = {values, count},
                        .last_uses = last_uses,
                        .result_metadata = {&metadata, 1},
                        .results = {&out, 1}};
    OpCall call(parts);
    {
      OpFunctionScope in_op;
      record.BeginKernel(context.devices[device]);
      op.function(call);
      record.EndKernel();
    }
    AsyncValue* value = out.get();
    if (call.error().ok() && value) [[likely]] {
      record.Await(context.host, value);
      if (value->IsError()) [[unlikely]] {
        error = value->GetError();
      } else if (const auto& made = value->get<tfrt::Tensor>().metadata(); made != metadata)
          [[unlikely]] {
        error = ReportWrongMetadata(op, scope.exec_ctx, 0, made, metadata);
      } else {
        result = Tensor(TakeRef(new TensorState(scope.ShareCore(), device, std::move(out), late)));
        record.End();
        return true;
      }
    } else {
      error = WithMemory(call.TakeRefused().get(), FinishFailedOp(op, scope.exec_ctx, call));
    }
  } else {
    (void)context.host->EmitError(scope.exec_ctx.location(), error);
  }
  *status = LocatedError(op, where, WithArguments(op, {known, count}, error));
  result = Tensor(
      TakeRef(new TensorState(scope.ShareCore(), kHostDevice, MakeErrorAsyncValue(*status))));
  record.End();
  return true;
}

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_EXECUTE_PREPARED_BODY_H_
