// ParallelFor: runs blocks of an index range as tasks.
#ifndef TFRT_LIB_RUNTIME_HOST_PARALLEL_FOR_H_
#define TFRT_LIB_RUNTIME_HOST_PARALLEL_FOR_H_

#include <cstddef>
#include <functional>

#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt {

// Splits [0, size) into blocks of `block_size` (clamped to 1 .. size) and calls `block(begin, end)`
// for each. Splits recursively in halves: one half becomes a task, the calling thread continues
// with the other. A single block runs on the calling thread.
//
// On a queue with one thread the calling thread continues with the left half. Otherwise it takes
// the half nearer to where in its range the last loop on this thread ended, because loops often
// read the same memory. Both forms return at once when the blocks have been distributed, and may be
// nested.

// Calls `done` on the thread that finishes the last block; at once if size is 0.
void ParallelFor(const ExecutionContext& exec_ctx, size_t size, size_t block_size,
                 std::function<void(size_t begin, size_t end)> block, TaskFunction done);

// Blocks that finish later: the result is available when every block's chain is, as value or error.
AsyncValueRef<Chain> ParallelFor(
    const ExecutionContext& exec_ctx, size_t size, size_t block_size,
    std::function<AsyncValueRef<Chain>(size_t begin, size_t end)> block);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_PARALLEL_FOR_H_
