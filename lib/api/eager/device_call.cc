#include "device_call.h"

#include <optional>
#include <utility>

#include "execute.h"
#include "lib/ops/op_call/op_function_scope.h"
#include "lib/ops/op_call/op_task.h"
#include "node.h"
#include "op_scope.h"
#include "prepare.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {
namespace {

constexpr size_t kMax = CallKey::kPacked;  // arguments

// Holds what a call is known by.
struct DeviceArguments {
  AsyncValue* values[kMax];  // null: left out
  uint64_t packed;
  uint8_t device;
  bool have_late_metadata;
};

// False if an argument is not there, not on the device of the first one, or not of this context.
inline bool Read(const Scope::State& scope, std::span<const TensorArgument> arguments,
                 DeviceArguments* read) {
  const uint8_t device = arguments[0].state()->device();
  uint64_t packed = 0;
  bool have_late_metadata = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const TensorState* state = arguments[i].state();
    CallKey::Word word = CallKey::kAbsent;
    AsyncValue* value = nullptr;
    if (state) [[likely]] {
      value = state->value();
      if (state->core() != scope.core || state->device() != device || !value->IsConcrete()) {
        return false;
      }
      have_late_metadata |= state->has_late_metadata();
      word = CallKey::WordOf(value->get<tfrt::Tensor>().dtype(), device);
    } else if (arguments[i].array()) {
      return false;
    }
    read->values[i] = value;
    packed |= uint64_t{word} << 16 * i;
  }
  read->packed = packed;
  read->device = device;
  read->have_late_metadata = have_late_metadata;
  return true;
}

[[gnu::noinline]] const KernelCacheEntry* FindOther(Scope::State& scope, const OpDefinition& op,
                                                    uint64_t packed, uint64_t call,
                                                    const OpAttrsRef& attrs, Location where) {
  const CallKey key(op, attrs, packed, call);
  if (!attrs.empty()) return scope.calls->FindAt(where, key);
  const KernelCacheEntry* found = scope.FindCall(key, key.Hash());
  if (found) scope.calls->SetLast(*found);
  return found;
}

// Returns what the device has prepared for the call. Null if it is not remembered, or runs
// elsewhere.
inline const PreparedOp* Find(Scope::State& scope, const OpDefinition& op,
                              const DeviceArguments& arguments, size_t count,
                              const OpAttrsRef& attrs, Location where) {
  const uint64_t call = CallKey::CallOf(count, scope.device, /*small_integers=*/false);
  const KernelCacheEntry* entry =
      attrs.empty() ? scope.calls->FindLast(op, arguments.packed, call) : nullptr;
  if (!entry) entry = FindOther(scope, op, arguments.packed, call, attrs, where);
  return entry && entry->placement.device == arguments.device ? entry->IfPrepared() : nullptr;
}

// Whether a call that only enqueues may run at once, and nobody wants to hear of its steps.
inline bool TakesKnownCalls(const Scope::State& scope) {
  return scope.IsReadyForQuickCalls() && !scope.context.log && !tracing::IsAnythingActive();
}

}  // namespace

Status ExecuteOnDevice(const OpDefinition& op, std::span<TensorArgument> arguments,
                       const OpAttrsRef& attrs, std::span<Tensor> results, Location where) {
  Scope::State* scope = CurrentScope();
  DeviceArguments read;
  const PreparedOp* prepared = nullptr;
  if (scope && TakesKnownCalls(*scope) && arguments.size() <= kMax && results.size() == 1 &&
      !op.has_side_effects() && Read(*scope, arguments, &read)) [[likely]] {
    prepared = Find(*scope, op, read, arguments.size(), attrs, where);
  }
  if (!prepared) return ExecuteAnywhere(op, arguments, attrs, results, where);

  scope->exec_ctx.set_location(where);
  RCReference<AsyncValue> value;
  std::optional<OpOutcome> failure;
  bool is_known;
  {
    OpFunctionScope in_op;
    is_known = prepared->RunAgain({.op = op,
                                   .device = *scope->context.devices[read.device].device,
                                   .exec_ctx = scope->exec_ctx,
                                   .arguments = {read.values, arguments.size()},
                                   .results = {&value, 1},
                                   .may_wait = IsSync(*scope)},
                                  &failure);
  }
  if (!is_known) return ExecuteAnywhere(op, arguments, attrs, results, where);
  CountHit(*scope);
  Status status;
  if (failure) [[unlikely]] {
    status = ExplainError(op, where, MetadataOf({read.values, arguments.size()}),
                          failure->refused.get(), failure->error);
    value = MakeErrorAsyncValue(status);
  }
  const bool has_late_metadata = read.have_late_metadata || !op.has_early_metadata;
  results[0] = Tensor(TakeRef(
      new TensorState(scope->ShareCore(), read.device, std::move(value), has_late_metadata)));
  for (TensorArgument& argument : arguments) argument.DropMoved();
  return status;
}

}  // namespace tfrt::eager
