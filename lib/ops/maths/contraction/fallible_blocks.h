// RunBlocks with blocks that may have no memory for their work.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_FALLIBLE_BLOCKS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_FALLIBLE_BLOCKS_H_

#include <atomic>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "lib/ops/maths/cpu/parallel_blocks.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {

// Calls run(i), which returns a Status, for each i below `size`. The result is an error, "no memory
// for the work of WHAT", if one of them is.
template <typename Run>
AsyncValueRef<Chain> RunFallibleBlocks(const ExecutionContext& exec_ctx, size_t size,
                                       size_t block_size, std::string_view what,
                                       std::span<const DenseHostTensor* const> operands, Run run) {
  struct Failure {
    std::atomic<bool> failed{false};
  };
  auto failure = std::make_shared<Failure>();
  AsyncValueRef<Chain> done =
      RunBlocks(exec_ctx, size, block_size, operands,
                [failure, run = std::move(run)](size_t begin, size_t end) {
                  for (size_t i = begin; i < end; ++i) {
                    // relaxed: the loop's end orders it before the load below.
                    if (!run(i).ok()) failure->failed.store(true, std::memory_order_relaxed);
                  }
                });
  return done.Map([failure, exec_ctx, what](Chain&) -> StatusOr<Chain> {
    if (!failure->failed.load(std::memory_order_relaxed)) return Chain();
    return EmitError(exec_ctx, ResourceExhaustedError(StrCat("no memory for the work of ", what)));
  });
}

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_FALLIBLE_BLOCKS_H_
