// RunBlocks: how CPU kernels spread work over the queue.
#ifndef TFRT_LIB_OPS_MATHS_CPU_PARALLEL_BLOCKS_H_
#define TFRT_LIB_OPS_MATHS_CPU_PARALLEL_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lib/runtime/host/parallel_for.h"
#include "tfrt/async/chain.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

// The cost that a block should have, in simple operations or bytes: some ten microseconds.
inline constexpr size_t kBlockCost = 64 * 1024;

// As many items as a block should have where one item costs `item_cost`. Depends on nothing else,
// so that blocks, and with them results, are the same whatever the number of threads.
inline size_t ItemsPerBlock(size_t item_cost) {
  return std::max<size_t>(1, kBlockCost / std::max<size_t>(1, item_cost));
}

// Calls block(begin, end) for ranges that cover [0, size), each `block_size` long but for the last,
// one after the other.
template <typename Block>
void RunBlocksInOrder(size_t size, size_t block_size, Block& block) {
  for (size_t begin = 0; begin < size; begin += std::min(block_size, size - begin)) {
    block(begin, begin + std::min(block_size, size - begin));
  }
}

// Returns the number of blocks for a task, so that each thread gets two tasks. If one task has more
// work, or another program delays its thread, the other threads take over the rest. Blocks of
// several items are short, so a few of them are not worth a second thread.
inline size_t BlocksPerTask(size_t num_blocks, size_t block_size, int parallelism) {
  constexpr size_t kFewBlocks = 4;
  if (block_size > 1 && num_blocks < kFewBlocks) return num_blocks;
  const size_t max_tasks = 2 * static_cast<size_t>(parallelism);
  return (num_blocks + max_tasks - 1) / max_tasks;
}

// Calls block(begin, end) for ranges that cover [0, size), each `block_size` long except the last.
// Calls it at once if they are few, or if there is only one thread; otherwise in tasks. The chain
// is available when all are done. Keeps the memory of `operands` alive until then. Several threads
// may call `block` at the same time.
template <typename Block>
AsyncValueRef<Chain> RunBlocks(const ExecutionContext& exec_ctx, size_t size, size_t block_size,
                               std::span<const DenseHostTensor* const> operands, Block block) {
  block_size = std::max<size_t>(1, block_size);
  const int parallelism = exec_ctx.work_queue().GetParallelismLevel();
  const size_t num_blocks = size == 0 ? 0 : (size - 1) / block_size + 1;
  const size_t per_task =
      parallelism <= 1 ? num_blocks : BlocksPerTask(num_blocks, block_size, parallelism);
  if (num_blocks <= per_task) {
    RunBlocksInOrder(size, block_size, block);
    return GetReadyChain();
  }
  struct Job {
    Block block;
    std::vector<RCReference<HostBuffer>> buffers;
  };
  auto job = std::make_shared<Job>(Job{std::move(block), {}});
  for (const DenseHostTensor* operand : operands) job->buffers.push_back(operand->buffer());
  auto done = MakeUnconstructedAsyncValueRef<Chain>();
  ParallelFor(
      exec_ctx, size, per_task * block_size,
      [job, block_size](size_t begin, size_t end) {
        auto block = [&](size_t from, size_t to) { job->block(begin + from, begin + to); };
        RunBlocksInOrder(end - begin, block_size, block);
      },
      [job, done = done.CopyRef()] {
        // Release them before the result is available: code that reuses the memory checks its
        // references.
        job->buffers.clear();
        done.emplace();
      });
  return done;
}

// Replaces a context where tasks are not available, as in sync kernels: all blocks run on the
// calling thread, and the chain is ready. Blocks are cut as for tasks, so that results are the
// same.
struct OnThisThread {};
template <typename Block>
AsyncValueRef<Chain> RunBlocks(OnThisThread, size_t size, size_t block_size,
                               std::span<const DenseHostTensor* const>, Block block) {
  RunBlocksInOrder(size, std::max<size_t>(1, block_size), block);
  return GetReadyChain();
}

template <typename Context, typename Block>
AsyncValueRef<Chain> RunBlocks(const Context& context, size_t size, size_t block_size,
                               std::initializer_list<const DenseHostTensor*> operands,
                               Block block) {
  return RunBlocks(context, size, block_size, std::span(operands.begin(), operands.size()),
                   std::move(block));
}

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_CPU_PARALLEL_BLOCKS_H_
