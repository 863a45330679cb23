#include "lib/ops/maths/cpu/parallel_blocks.h"

#include <algorithm>
#include <atomic>
#include <span>
#include <vector>

#include "test/unit/maths/maths_fixture.h"

namespace tfrt {
namespace {

TEST(BlocksPerTaskTest, AThreadHasTwoTasks) {
  EXPECT_EQ(BlocksPerTask(100, 10, 2), 25u);
  EXPECT_EQ(BlocksPerTask(101, 10, 2), 26u);
  EXPECT_EQ(BlocksPerTask(100, 10, 8), 7u);
  EXPECT_EQ(BlocksPerTask(4, 10, 2), 1u);
}

TEST(BlocksPerTaskTest, AFewShortBlocksStayTogether) {
  EXPECT_EQ(BlocksPerTask(3, 10, 2), 3u);
  // Blocks of one item may be long.
  EXPECT_EQ(BlocksPerTask(3, 1, 2), 1u);
}

// Results depend on how items lie in blocks, which tasks do not change.
TEST(RunBlocksTest, BlocksAreTheSameForEveryNumberOfThreads) {
  for (int threads : {1, 2, 4}) {
    HostContext host(
        [](const DecodedDiagnostic&) {}, CreateMallocAllocator(),
        threads == 1 ? CreateSingleThreadedWorkQueue() : CreateMultiThreadedWorkQueue(threads, 1));
    ExecutionContext exec_ctx(RequestContextBuilder(&host, nullptr).Build());
    std::vector<std::atomic<int>> visits(101);
    std::atomic<int> odd_blocks{0};
    auto done = RunBlocks(exec_ctx, 1005, 10, std::span<const DenseHostTensor* const>(),
                          [&](size_t begin, size_t end) {
                            visits[begin / 10].fetch_add(1);
                            if (begin % 10 != 0 || end != std::min<size_t>(begin + 10, 1005))
                              odd_blocks.fetch_add(1);
                          });
    AsyncValue* values[] = {done.GetAsyncValue()};
    host.Await(values);
    for (auto& count : visits) EXPECT_EQ(count.load(), 1);
    EXPECT_EQ(odd_blocks.load(), 0);
  }
}

}  // namespace
}  // namespace tfrt
