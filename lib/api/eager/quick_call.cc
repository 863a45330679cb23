#include "quick_call.h"

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "call_record.h"
#include "context_impl.h"
#include "lib/ops/op_call/quick_op.h"
#include "op_function.h"
#include "op_scope.h"
#include "prepare.h"
#include "result_block.h"
#include "tfrt/tracing/record.h"

namespace tfrt::eager {
namespace {

// `block` is the kind of BlockTensor, `dense` that of DenseHostTensor.
[[gnu::always_inline]] inline DenseHostTensor* IfPlainDense(AsyncValue* value, uint32_t block,
                                                            uint32_t dense) {
  if (auto* payload = value->GetIfPlain<BlockTensor>(block)) return &payload->tensor;
  return value->GetIfPlain<DenseHostTensor>(dense);
}

// The result of an op that was scheduled, and is over.
[[gnu::noinline]] DenseHostTensor* IfForwardedDense(AsyncValue* value, uint32_t block,
                                                    uint32_t dense) {
  if (!value->IsIndirect() || !value->IsConcrete()) return nullptr;
  return IfPlainDense(value->Resolved(), block, dense);
}

// Null if it is not there, or another tensor.
[[gnu::always_inline]] inline DenseHostTensor* IfDense(AsyncValue* value, uint32_t block,
                                                       uint32_t dense) {
  if (auto* tensor = IfPlainDense(value, block, dense)) [[likely]]
    return tensor;
  return IfForwardedDense(value, block, dense);
}

// Whether the op may write the argument's elements.
bool IsReusable(const TensorArgument& argument, const TensorArgument& other,
                const DenseHostTensor& tensor) {
  return argument.state() != other.state() && argument.is_last_use() &&
         OpCall::IsReusable(*argument.state()->value(), tensor);
}

// One of the arguments was moved. The result lies where its elements do, if nobody else has them.
Tensor CallMoved(Scope::State& scope, const OpDefinition& op, TensorArgument& x, TensorArgument& y,
                 DenseHostTensor& a, DenseHostTensor& b, bool has_late_metadata) {
  bool first = IsReusable(x, y, a);
  if (!first && !IsReusable(y, x, b)) {
    ResultBlock* block = ResultBlock::Allocate();
    if (!op.quick(a, b, block->elements())) {
      block->Discard();
      return {};
    }
    auto result = block->MakeTensor(a, scope.ShareCore(), x.state()->device(), has_late_metadata);
    x.DropMoved();
    y.DropMoved();
    return Tensor(std::move(result));
  }
  if (!op.quick(a, b, (first ? a : b).buffer()->data())) return {};
  RCReference<TensorState> state = (first ? x : y).TakeState();
  (first ? y : x).DropMoved();
  if (state->has_late_metadata() == has_late_metadata && !state->has_copies()) [[likely]]
    return Tensor(std::move(state));
  return Tensor(TakeRef(new TensorState(scope.ShareCore(), state->device(), FormRef(state->value()),
                                        has_late_metadata)));
}

// Returns the remembered entry of a call that is not the scope's last one of the op.
[[gnu::noinline]] const KernelCacheEntry* FindOther(Scope::State& scope, const OpDefinition& op,
                                                    uint64_t packed, uint64_t call) {
  const OpAttrsRef no_attrs;
  const CallKey key(op, no_attrs, packed, call);
  const KernelCacheEntry* entry = scope.FindCall(key, key.Hash());
  if (entry) scope.calls->SetLast(*entry);
  return entry;
}

// Any other way.
[[gnu::noinline]] Tensor CallOther(const OpDefinition& op, TensorArgument& x, TensorArgument& y,
                                   Location where) {
  TensorArgument arguments[] = {std::move(x), std::move(y)};
  return Call<1>(op, arguments, OpAttrsRef(), where);
}
[[gnu::noinline]] Tensor CallOther(const OpDefinition& op, TensorState* x, TensorState* y,
                                   Location where) {
  TensorArgument arguments[] = {TensorArgument::Borrow(x), TensorArgument::Borrow(y)};
  return Call<1>(op, arguments, OpAttrsRef(), where);
}

TensorState* StateOf(const TensorArgument& argument) { return argument.state(); }
TensorState* StateOf(TensorState* state) { return state; }

// Takes a call's arguments as given or, as in most calls, states of tensors that others own. The
// latter is for calls of which nothing is recorded. `kIsTry`: returns no tensor if there is another
// way, or if the dtype is not one of `dtypes`; the arguments are then as they were.
template <bool kIsTry, typename Argument>
Tensor CallIfQuick(const OpDefinition& op, uint64_t dtypes, Argument& x, Argument& y,
                   Location where) {
  auto other = [&]() -> Tensor {
    if constexpr (kIsTry) {
      return Tensor();
    } else {
      return CallOther(op, x, y, where);
    }
  };
  constexpr bool kIsPlain = std::is_same_v<Argument, TensorState*>;
  Scope::State* scope = CurrentScope();
  if (!scope || !scope->IsReadyForQuickCalls()) return other();
  const TensorState *first = StateOf(x), *second = StateOf(y);
  if ((!kIsPlain && !first) || first->core() != scope->core) return other();
  if ((!kIsPlain && !second) || second->core() != scope->core) return other();
  // relaxed: see GetIfPlain.
  const uint32_t block_kind = tfrt::internal::kind_of<BlockTensor>.load(std::memory_order_relaxed);
  const uint32_t dense_kind =
      tfrt::internal::kind_of<DenseHostTensor>.load(std::memory_order_relaxed);
  DenseHostTensor* a = IfDense(first->value(), block_kind, dense_kind);
  if (!a) return other();
  DenseHostTensor* b = IfDense(second->value(), block_kind, dense_kind);
  if (!b) return other();
  if (kIsTry && (dtypes >> static_cast<int>(a->dtype()) & 1) == 0) return Tensor();
  const uint8_t device = first->device();
  if (!AreForQuickOp(*a, *b) || second->device() != device) return other();

  const bool is_recorded = !kIsPlain && tracing::IsAnythingActive();
  if (is_recorded && RecordsDetails()) [[unlikely]]
    return other();
  QuickCallRecord record(is_recorded);
  const bool has_late_metadata =
      (int{first->has_late_metadata()} | int{second->has_late_metadata()}) != 0;
  const uint64_t word = CallKey::WordOf(a->dtype(), device);
  const uint64_t packed = word | word << 16;
  const uint64_t call =
      CallKey::CallOf(2, scope->device,
                      !has_late_metadata && IsSmallIntegers(scope->context, a->metadata(), device));
  const KernelCacheEntry* entry = scope->calls->FindLast(op, packed, call);
  if (!entry) [[unlikely]]
    entry = FindOther(*scope, op, packed, call);
  if (!entry || entry->placement.direct_device != device) return other();

  record.BeginKernel();
  if constexpr (!kIsPlain) {
    if (x.is_moved() || y.is_moved()) {
      Tensor result = CallMoved(*scope, op, x, y, *a, *b, has_late_metadata);
      if (!result.valid()) return other();
      CountHit(*scope);
      record.End(op, scope->context.devices[device]);
      return result;
    }
  }
  ResultBlock* block = ResultBlock::Allocate();
  if (!op.quick(*a, *b, block->elements())) [[unlikely]] {
    block->Discard();
    return other();
  }
  CountHit(*scope);
  record.End(op, scope->context.devices[device]);
  return Tensor(block->MakeTensor(*a, scope->ShareCore(), device, has_late_metadata));
}

}  // namespace

// flatten: what the instances share is to be a part of those that are called most.
[[gnu::flatten]] Tensor CallQuickOp(const OpDefinition& op, TensorArgument& x, TensorArgument& y,
                                    Location where) {
  return CallIfQuick<false>(op, 0, x, y, where);
}
Tensor TryQuickOp(const OpDefinition& op, uint64_t dtypes, TensorArgument& x, TensorArgument& y,
                  Location where) {
  return CallIfQuick<true>(op, dtypes, x, y, where);
}
[[gnu::flatten]] Tensor CallPlainQuickOp(const OpDefinition& op, TensorState* x, TensorState* y,
                                         Location where) {
  return CallIfQuick<false>(op, 0, x, y, where);
}
[[gnu::flatten]] Tensor TryPlainQuickOp(const OpDefinition& op, uint64_t dtypes, TensorState* x,
                                        TensorState* y) {
  return CallIfQuick<true>(op, dtypes, x, y, Location());
}

Tensor QuickOp::CallFirst(TensorArgument& x, TensorArgument& y, Location where) {
  const OpDefinition& op = HostOp(name_);
  op_.store(&op, std::memory_order_release);
  return CallQuickOp(op, x, y, where);
}

}  // namespace tfrt::eager
