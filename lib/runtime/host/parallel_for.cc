#include "parallel_for.h"

#include <algorithm>
#include <atomic>
#include <memory>

#include "tfrt/host_context/enqueue.h"
#include "tfrt/tracing/record.h"

namespace tfrt {
namespace {

// A block, on whatever thread, inside of the record in which the loop was begun.
constexpr tracing::RecordType kBlockRecord = {
    .name = "parallel_for.block",
    .level = tracing::StackLevel::kKernel,
    .arguments = {{{"begin", tracing::ArgumentSpec::Type::kInteger},
                   {"end", tracing::ArgumentSpec::Type::kInteger}}}};

// Where in its range, from 0 to 1, the block lay that this thread ran last. Loops often go over
// what the loop before has written: a thread finds its part in its own cache, and that of another
// thread takes several times as long to come as many loops take.
thread_local double last_place = 0;

// Runs every block in [begin, end): one half of what is left becomes a task until one block
// remains, which runs here.
template <typename Job>
void EvalBlocks(const std::shared_ptr<Job>& job, size_t begin, size_t end) {
  const auto size = static_cast<double>(job->range.num_blocks());
  const bool has_order = job->exec_ctx.work_queue().IsSingleThreaded();
  const size_t nearest = has_order ? begin : static_cast<size_t>(last_place * size);
  while (end - begin > 1) {
    size_t middle = begin + (end - begin) / 2;
    if (nearest < middle) {
      EnqueueForkedWork(job->exec_ctx, [job, middle, end] { EvalBlocks(job, middle, end); });
      end = middle;
    } else {
      EnqueueForkedWork(job->exec_ctx, [job, begin, middle] { EvalBlocks(job, begin, middle); });
      begin = middle;
    }
  }
  last_place = (static_cast<double>(begin) + 0.5) / size;
  job->RunBlock(begin);
}

struct Range {
  size_t size;
  size_t block_size;
  size_t num_blocks() const { return (size - 1) / block_size + 1; }
  size_t begin(size_t block) const { return block * block_size; }
  size_t end(size_t block) const { return std::min(size, begin(block) + block_size); }
};

struct CallbackJob {
  ExecutionContext exec_ctx;
  Range range;
  std::function<void(size_t, size_t)> block;
  TaskFunction done;
  std::atomic<size_t> remaining;

  void RunBlock(size_t index) {
    {
      tracing::RecordScope record(kBlockRecord, "block", {}, range.begin(index), range.end(index));
      block(range.begin(index), range.end(index));
    }
    // acq_rel: `done` sees what all blocks wrote.
    if (remaining.fetch_sub(1, std::memory_order_acq_rel) == 1) done();
  }
};

struct ChainJob : std::enable_shared_from_this<ChainJob> {
  ChainJob(const ExecutionContext& exec_ctx, Range range,
           std::function<AsyncValueRef<Chain>(size_t, size_t)> block, AsyncValueRef<Chain> result)
      : exec_ctx(exec_ctx),
        range(range),
        block(std::move(block)),
        result(std::move(result)),
        remaining(range.num_blocks()) {}

  ExecutionContext exec_ctx;
  Range range;
  std::function<AsyncValueRef<Chain>(size_t, size_t)> block;
  AsyncValueRef<Chain> result;
  std::atomic<size_t> remaining;

  void RunBlock(size_t index) {
    tracing::RecordScope record(kBlockRecord, "block", {}, range.begin(index), range.end(index));
    AsyncValueRef<Chain> chain = block(range.begin(index), range.end(index));
    record.End();
    AsyncValue* value = chain.GetAsyncValue();
    // The waiter keeps the chain, so that the value it waits for lives.
    value->AndThen([job = shared_from_this(), chain = std::move(chain)] { job->Finish(); });
  }
  void Finish() {
    // acq_rel: waiters of the result see what all blocks wrote.
    if (remaining.fetch_sub(1, std::memory_order_acq_rel) == 1) result.emplace();
  }
};

}  // namespace

void ParallelFor(const ExecutionContext& exec_ctx, size_t size, size_t block_size,
                 std::function<void(size_t, size_t)> block, TaskFunction done) {
  if (size == 0) return done();
  Range range{size, std::clamp<size_t>(block_size, 1, size)};
  if (range.num_blocks() == 1) {
    block(0, size);
    return done();
  }
  std::shared_ptr<CallbackJob> job(
      new CallbackJob{exec_ctx, range, std::move(block), std::move(done), {range.num_blocks()}});
  EvalBlocks(job, 0, range.num_blocks());
}

AsyncValueRef<Chain> ParallelFor(const ExecutionContext& exec_ctx, size_t size, size_t block_size,
                                 std::function<AsyncValueRef<Chain>(size_t, size_t)> block) {
  if (size == 0) return GetReadyChain();
  Range range{size, std::clamp<size_t>(block_size, 1, size)};
  auto result = MakeUnconstructedAsyncValueRef<Chain>();
  auto job = std::make_shared<ChainJob>(exec_ctx, range, std::move(block), result.CopyRef());
  EvalBlocks(job, 0, range.num_blocks());
  return result;
}

}  // namespace tfrt
