// How CallQuickOp goes, for the two files that compile it: with records and without them. Each has
// all of this for itself and calls it once, so that the compiler makes one function of it.
#ifndef TFRT_EAGER_QUICK_CALL_BODY_H_
#define TFRT_EAGER_QUICK_CALL_BODY_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "context_impl.h"
#include "op_scope.h"
#include "prepare.h"
#include "result_block.h"
#include "tfrt/core_runtime/quick_op.h"

namespace tfrt::eager {
namespace {  // NOLINT: see above

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
  if (DenseHostTensor* tensor = IfPlainDense(value, block, dense)) [[likely]]
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
                 DenseHostTensor& a, DenseHostTensor& b, bool is_late) {
  bool first = IsReusable(x, y, a);
  if (!first && !IsReusable(y, x, b)) {
    ResultBlock* block = ResultBlock::Allocate();
    if (!op.quick(a, b, block->elements())) {
      block->Discard();
      return {};
    }
    auto result = block->MakeTensor(a, scope.ShareCore(), x.state()->device(), is_late);
    x.DropMoved();
    y.DropMoved();
    return Tensor(std::move(result));
  }
  if (!op.quick(a, b, (first ? a : b).buffer()->data())) return {};
  RCReference<TensorState> state = (first ? x : y).TakeState();
  (first ? y : x).DropMoved();
  if (state->is_late() == is_late && !state->has_copies()) [[likely]]
    return Tensor(std::move(state));
  return Tensor(TakeRef(
      new TensorState(scope.ShareCore(), state->device(), FormRef(state->value()), is_late)));
}

// CallQuickOp, with a CallRecord or without one.
template <typename Record>
Tensor CallQuick(const OpDefinition& op, TensorArgument& x, TensorArgument& y) {
  Scope::State* scope = CurrentScope();
  if (!scope || !scope->IsReady() || !op.quick) return {};
  // In FIFO order it is behind what has been called before.
  if (scope->context.fifo() && !IsSync(*scope)) return {};
  const TensorState *first = x.state(), *second = y.state();
  if (!first || !second || first->core() != scope->core || second->core() != scope->core) return {};
  // relaxed: see GetIfPlain.
  const uint32_t block_kind = tfrt::internal::kind_of<BlockTensor>.load(std::memory_order_relaxed);
  const uint32_t dense_kind =
      tfrt::internal::kind_of<DenseHostTensor>.load(std::memory_order_relaxed);
  DenseHostTensor* a = IfDense(first->value(), block_kind, dense_kind);
  DenseHostTensor* b = IfDense(second->value(), block_kind, dense_kind);
  const uint8_t device = first->device();
  if (!a || !b || !AreForQuickOp(*a, *b) || second->device() != device) return {};

  Record record(op);
  const bool is_first_late = first->is_late(), is_second_late = second->is_late();
  const bool is_late = is_first_late | is_second_late;
  const uint64_t word = CallKey::WordOf(a->dtype(), device);
  const OpAttrsRef no_attrs;
  CallKey key(op, no_attrs, word | word << 16, 2, scope->device,
              !is_late && IsSmallIntegers(scope->context, a->metadata(), device));
  const KernelCacheEntry* entry = scope->FindCall(key, key.Hash());
  if (!entry || entry->placement.direct_device != device) return {};

  record.BeginKernel(scope->context.devices[device]);
  const bool is_x_moved = x.is_moved(), is_y_moved = y.is_moved();
  if (is_x_moved | is_y_moved) {
    Tensor result = CallMoved(*scope, op, x, y, *a, *b, is_late);
    if (result.valid()) {
      CountHit(*scope);
      record.End();
    }
    return result;
  }
  ResultBlock* block = ResultBlock::Allocate();
  if (!op.quick(*a, *b, block->elements())) [[unlikely]] {
    block->Discard();
    return {};
  }
  CountHit(*scope);
  Tensor result(block->MakeTensor(*a, scope->ShareCore(), device, is_late));
  record.End();
  return result;
}

}  // namespace
}  // namespace tfrt::eager

#endif  // TFRT_EAGER_QUICK_CALL_BODY_H_
