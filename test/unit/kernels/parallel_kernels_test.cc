#include <algorithm>

#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

using Arguments = std::span<AsyncValue* const>;
using Block = std::pair<int32_t, int32_t>;

class ParallelTest : public testing::TestWithParam<const char*> {
 protected:
  bool single() const { return std::string(GetParam()) == "s"; }
  void Add(Arguments arguments) {
    std::lock_guard lock(mutex_);
    blocks_.push_back({arguments[0]->get<int32_t>(), arguments[1]->get<int32_t>()});
  }
  std::vector<Block> Sorted() {
    std::sort(blocks_.begin(), blocks_.end());
    return blocks_;
  }

  std::mutex mutex_;
  std::vector<Block> blocks_;
  KernelRunner runner_{GetParam()};
  TestFunction body_{"body", {"i32", "i32"}, {}, [this](const ExecutionContext&, Arguments a) {
                       Add(a);
                       return Values();
                     }};
};
INSTANTIATE_TEST_SUITE_P(Queues, ParallelTest, testing::Values("s", "mstd:2"),
                         [](const auto& info) {
                           return std::string(info.param) == "s" ? "single" : "multi";
                         });

TEST_P(ParallelTest, OneBlockRunsInTheCallingThread) {
  Values done =
      runner_.Start("tfrt.parallel_for.i32", {{I32(3), I32(9), I32(100)}, 1, {}, {&body_}});
  EXPECT_TRUE(done[0]->IsConcrete());
  EXPECT_EQ(blocks_, (std::vector<Block>{{3, 9}}));
}

TEST_P(ParallelTest, BlocksCoverTheRange) {
  runner_.Run("tfrt.parallel_call.i32", {{I32(-5), I32(6), I32(4)}, 1, {}, {&body_}});
  EXPECT_EQ(Sorted(), (std::vector<Block>{{-5, -1}, {-1, 3}, {3, 6}}));
}

TEST_P(ParallelTest, OrderOfTenBlocks) {
  runner_.Run("tfrt.parallel_for.i32", {{I32(0), I32(10), I32(1)}, 1, {}, {&body_}});
  std::vector<int32_t> order;
  for (Block block : blocks_) order.push_back(block.first);
  if (!single()) std::sort(order.begin(), order.end());
  EXPECT_EQ(order, single() ? (std::vector<int32_t>{0, 5, 2, 1, 7, 6, 3, 8, 4, 9})
                            : (std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_P(ParallelTest, EmptyRange) {
  Values done = runner_.Start("tfrt.parallel_for.i32", {{I32(4), I32(4), I32(0)}, 1, {}, {&body_}});
  EXPECT_TRUE(done[0]->IsConcrete());
  EXPECT_TRUE(blocks_.empty());
}

TEST_P(ParallelTest, WaitsForChainsAndIgnoresTheirErrors) {
  std::vector<AsyncValueRef<Chain>> chains;
  TestFunction body("body", {"i32", "i32", "i32"}, {"!tfrt.chain"},
                    [&](const ExecutionContext&, Arguments arguments) {
                      EXPECT_EQ(arguments[2]->get<int32_t>(), 77);
                      std::lock_guard lock(mutex_);
                      chains.push_back(MakeUnconstructedAsyncValueRef<Chain>());
                      return Values{chains.back().CopyRCRef()};
                    });
  Values done =
      runner_.Start("tfrt.parallel_for.i32", {{I32(0), I32(3), I32(1), I32(77)}, 1, {}, {&body}});
  runner_.host().Quiesce();
  ASSERT_EQ(chains.size(), 3u);
  chains[0].emplace();
  chains[1].SetError(InternalError("lost"));
  EXPECT_FALSE(done[0]->IsAvailable());
  chains[2].emplace();
  EXPECT_TRUE(done[0]->IsConcrete());
}

TEST_P(ParallelTest, BadBodies) {
  TestFunction two("two", {"i32", "i32"}, {"!tfrt.chain", "i32"},
                   [](const ExecutionContext&, Arguments) { return Values(); });
  EXPECT_EQ(runner_.Error("tfrt.parallel_for.i32", {{I32(0), I32(3), I32(1)}, 1, {}, {&two}}),
            "Invalid parallel body function result types");
  EXPECT_TRUE(runner_.diagnostics().empty());
  EXPECT_EQ(
      runner_.Error("tfrt.parallel_for.i32", {{I32(0), I32(3), I32(1), I32(0)}, 1, {}, {&body_}}),
      "parallel loop needs a body with 3 arguments, but 'body' has 2");
}

TEST_P(ParallelTest, BadRanges) {
  EXPECT_EQ(runner_.Error("tfrt.parallel_for.i32", {{I32(5), I32(3), I32(1)}, 1, {}, {&body_}}),
            "parallel loop starts at 5, past its end 3");
  EXPECT_EQ(runner_.Error("tfrt.parallel_for.i32", {{I32(0), I32(3), I32(-2)}, 1, {}, {&body_}}),
            "parallel loop needs a block size of at least 1, not -2");
  // The widest range there is, in four blocks.
  runner_.Run("tfrt.parallel_for.i32",
              {{I32(-2147483647 - 1), I32(2147483647), I32(1 << 30)}, 1, {}, {&body_}});
  EXPECT_EQ(Sorted().back(), Block(1 << 30, 2147483647));
}

}  // namespace
}  // namespace tfrt
