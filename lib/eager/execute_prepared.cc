#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "call_record.h"
#include "context_impl.h"
#include "messages.h"
#include "node.h"
#include "op_scope.h"
#include "prepare.h"
#include "tfrt/core_runtime/op_runner.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {

bool ExecutePrepared(Scope::State& scope, const OpDefinition& op,
                     std::span<TensorArgument> arguments, const OpAttrsRef& attrs, Tensor& result,
                     Location where, Status* status) {
  Context::Impl& context = scope.context;
  size_t count = arguments.size();
  if (count > CallKey::kPacked || !op.metadata || op.has_side_effects()) return false;
  AsyncValue* values[CallKey::kPacked];
  const TensorMetadata* known[CallKey::kPacked];
  uint64_t packed = 0, devices = 0;
  bool integers = count > 0, late = false, all_dense = true;
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
      all_dense = false;
    }
    const TensorMetadata& metadata = tensor->metadata();
    values[i] = value;
    known[i] = &metadata;
    packed |= uint64_t{CallKey::WordOf(metadata.dtype, state->device())} << 16 * i;
    devices |= uint64_t{state->device()} << 16 * i;
    late |= state->is_late();
    integers = integers && !late && IsSmallIntegers(context, metadata, state->device());
  }
  const bool is_recorded = tracing::IsAnythingActive();
  if (is_recorded && TracesDetails()) [[unlikely]]
    return false;
  CallRecord record(is_recorded, op);
  CallKey key(op, attrs, packed, count, scope.device, integers);
  const KernelCacheEntry* entry = scope.FindCall(key, key.Hash());
  if (!entry || scope.exec_ctx.request_ctx()->IsCancelled()) return false;
  // All on the op's device, where nothing is read on the host. The device runs the op's function
  // itself, or has prepared the call.
  const uint8_t device = entry->placement.device;
  const ContextDevice& place = context.devices[device];
  std::shared_ptr<const PreparedOp> prepared;  // calls inside of this one may drop the entry
  if (entry->placement.direct_device != device) [[unlikely]] {
    if (context.log) return false;
    prepared = entry->Prepared(place);
    if (!prepared) return false;
  }
  if (device != kHostDevice && op.description->has_host_values()) return false;
  if (count > 0) {
    uint64_t everywhere = 0x0001000100010001u >> 16 * (CallKey::kPacked - count);
    if (devices != device * everywhere) return false;
  }
  for (size_t i = 0; i < count && !all_dense; ++i) {
    if (!place.runner->Accepts(op, values[i]->get<tfrt::Tensor>())) return false;
  }
  CountHit(scope);
  TensorMetadata metadata;
  RCReference<AsyncValue> out;
  Status error = op.metadata({known, count}, attrs, {&metadata, 1});
  bool is_explained = false;
  if (error.ok()) [[likely]] {
    HostAllocator* allocator = record.AllocatorOf(place);
    const uint64_t last_uses = LastUses(arguments);
    if (prepared) [[unlikely]] {
      record.BeginKernel(place);
      error = RunOpOn(place, {.op = op,
                              .device = *place.device,
                              .allocator = allocator,
                              .exec_ctx = scope.exec_ctx,
                              .arguments = {values, count},
                              .last_uses = last_uses,
                              .attrs = attrs,
                              .result_metadata = {&metadata, 1},
                              .results = {&out, 1},
                              .explain = &ExplainError,
                              .prepared = prepared.get()})
                  .error;
      record.EndKernel();
      is_explained = true;
    } else {
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
        record.BeginKernel(place);
        op.function(call);
        record.EndKernel();
      }
      if (!call.error().ok() || !out) [[unlikely]] {
        error = WithMemory(call.TakeRefused().get(), FinishFailedOp(op, scope.exec_ctx, call));
      }
    }
    if (error.ok()) [[likely]] {
      AsyncValue* value = out.get();
      record.Await(context.host, value);
      if (value->IsError()) [[unlikely]] {
        error = value->GetError();
      } else if (const auto& made = value->get<tfrt::Tensor>().metadata(); made != metadata)
          [[unlikely]] {
        error = ReportWrongMetadata(op, scope.exec_ctx, 0, made, metadata);
        is_explained = false;
      } else {
        result = Tensor(TakeRef(new TensorState(scope.ShareCore(), device, std::move(out), late)));
        record.End();
        return true;
      }
    }
  } else {
    (void)context.host->EmitError(scope.exec_ctx.location(), error);
  }
  *status = is_explained ? std::move(error)
                         : LocatedError(op, where, WithArguments(op, {known, count}, error));
  result = Tensor(
      TakeRef(new TensorState(scope.ShareCore(), kHostDevice, MakeErrorAsyncValue(*status))));
  record.End();
  return true;
}

}  // namespace tfrt::eager
