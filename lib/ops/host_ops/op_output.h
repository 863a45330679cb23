// How ops hand over dense results, and how they spread their work.
#ifndef TFRT_LIB_OPS_HOST_OPS_OP_OUTPUT_H_
#define TFRT_LIB_OPS_HOST_OPS_OP_OUTPUT_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "lib/ops/maths/completion.h"
#include "lib/ops/maths/contraction/activation.h"
#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// The elements of a tensor that the op may write: one it has allocated, or reuses.
template <typename T>
T* WritableData(DenseHostTensor& out) {
  assert(!out.is_read_only());
  return static_cast<T*>(const_cast<void*>(out.data()));
}

inline void SetResult(OpCall& call, size_t index, DenseHostTensor out) {
  call.SetResult(index, MakeAvailableAsyncValueRef<DenseHostTensor>(std::move(out)).ReleaseRCRef());
}
// `out` is result `index` once it is computed; an error of `done` becomes the call's.
Status SetResultAfter(OpCall& call, size_t index, DenseHostTensor out, maths::Completion done);
// The same for a chain, whose error has been reported.
void SetResultAfter(OpCall& call, size_t index, DenseHostTensor out, AsyncValueRef<Chain> done);

// Result 0 is what compute(out) writes into new memory; it returns a Completion.
template <typename F>
Status SetComputed(OpCall& call, const TensorMetadata& result, F compute) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  maths::Completion done = compute(out);
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

// The attribute `activation`; none if it is left out.
StatusOr<maths::Activation> ActivationOf(const OpCall& call);

// Calls block(begin, end) for ranges that cover [0, size), as RunBlocks does; each item costs
// `item_cost`. Then `out` is result 0. `inputs` are what the blocks read.
template <typename Block>
void ComputeResult(OpCall& call, size_t size, size_t item_cost,
                   std::initializer_list<const DenseHostTensor*> inputs, DenseHostTensor out,
                   Block block) {
  const size_t block_size = ItemsPerBlock(item_cost);
  if (size <= block_size) [[likely]] {
    if (size > 0) block(size_t{0}, size);
    return SetResult(call, 0, std::move(out));
  }
  constexpr size_t kMaxOperands = 6;
  std::array<const DenseHostTensor*, kMaxOperands> operands;
  assert(inputs.size() < kMaxOperands);
  auto end = std::copy(inputs.begin(), inputs.end(), operands.begin());
  *end++ = &out;
  AsyncValueRef<Chain> done = RunBlocks(call.exec_ctx(), size, block_size,
                                        std::span(operands.begin(), end), std::move(block));
  SetResultAfter(call, 0, std::move(out), std::move(done));
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_OP_OUTPUT_H_
