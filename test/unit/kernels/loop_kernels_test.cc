#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

using Arguments = std::span<AsyncValue* const>;

class LoopTest : public testing::TestWithParam<const char*> {
 protected:
  static Bytes Iterations(int64_t n) { return ScalarBytes(n); }

  KernelRunner runner_{GetParam()};
  int runs_ = 0;
  // (i32 n) -> (n + 1, n + 1 < 10000)
  TestFunction count_{
      "count", {"i32"}, {"i32", "i1"}, [this](const ExecutionContext&, Arguments arguments) {
        ++runs_;
        int32_t n = arguments[0]->get<int32_t>() + 1;
        return Values{I32(n), I1(n < 10000)};
      }};
  // The same with a condition that comes later.
  TestFunction count_later_{
      "count_later",
      {"i32"},
      {"i32", "i1"},
      [this](const ExecutionContext& exec_ctx, Arguments arguments) {
        ++runs_;
        int32_t n = arguments[0]->get<int32_t>() + 1;
        auto more = MakeUnconstructedAsyncValueRef<bool>();
        exec_ctx.work_queue().AddTask([more = more.CopyRef(), n] { more.emplace(n < 10000); });
        return Values{I32(n), more.ReleaseRCRef()};
      }};
};
INSTANTIATE_TEST_SUITE_P(Queues, LoopTest, testing::Values("s", "mstd:2"), [](const auto& info) {
  return std::string(info.param) == "s" ? "single" : "multi";
});

TEST_P(LoopTest, WhileWithAvailableConditions) {
  Values results = runner_.Start("tfrt.while", {{I1(true), I32(0)}, 1, {Iterations(1)}, {&count_}});
  EXPECT_EQ(results[0]->get<int32_t>(), 10000);  // in this thread, before the kernel returned
  EXPECT_EQ(runs_, 10000);
}

TEST_P(LoopTest, WhileFalseAtOnce) {
  auto value = I32(3);
  Values results = runner_.Run("tfrt.while", {{I1(false), value}, 1, {Iterations(1)}, {&count_}});
  EXPECT_TRUE(results[0]->IsIndirect());
  EXPECT_EQ(results[0]->get<int32_t>(), 3);
  EXPECT_EQ(runs_, 0);
}

TEST_P(LoopTest, WhileWithLateConditions) {
  EXPECT_EQ(
      runner_.Get<int32_t>("tfrt.while", {{I1(true), I32(0)}, 1, {Iterations(1)}, {&count_later_}}),
      10000);
}

TEST_P(LoopTest, WhileWithBodiesAsTasks) {
  Values results =
      runner_.Start("tfrt.while", {{I1(true), I32(0)}, 1, {Iterations(10)}, {&count_later_}});
  if (std::string(GetParam()) == "s") {
    EXPECT_EQ(runs_, 0);
  }
  runner_.host().Quiesce();
  EXPECT_EQ(results[0]->get<int32_t>(), 10000);
}

TEST_P(LoopTest, WhileReleasesTheValuesOfThePreviousIteration) {
  auto first = I32(0);
  uint32_t references = 0;
  TestFunction body("body", {"i32"}, {"i32", "i1"}, [&](const ExecutionContext&, Arguments values) {
    if (values[0] == first.get()) {
      references = first->NumRef();
      return Values{I32(1), I1(true)};
    }
    EXPECT_EQ(first->NumRef(), references - 1);  // the loop's is gone
    EXPECT_EQ(values[0]->NumRef(), 1u);
    return Values{I32(2), I1(false)};
  });
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.while", {{I1(true), first}, 1, {Iterations(1)}, {&body}}),
            2);
}

TEST_P(LoopTest, WhileConditionErrorWaitsForTheValues) {
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  TestFunction body("body", {"i32"}, {"i32", "i1"}, [&](const ExecutionContext&, Arguments) {
    return Values{late.CopyRCRef(), MakeErrorAsyncValue(InternalError("no condition"))};
  });
  Values results = runner_.Start("tfrt.while", {{I1(true), I32(0)}, 1, {Iterations(1)}, {&body}});
  EXPECT_FALSE(results[0]->IsAvailable());
  late.emplace(1);
  EXPECT_EQ(results[0]->GetError().message(), "no condition");
}

TEST_P(LoopTest, WhileErrorsOfValuesStayTheirs) {
  TestFunction body(
      "body", {"i32", "i32"}, {"i32", "i32", "i1"}, [&](const ExecutionContext&, Arguments values) {
        return Values{MakeErrorAsyncValue(InternalError("value")), FormRef(values[1]), I1(false)};
      });
  Values results =
      runner_.Run("tfrt.while", {{I1(true), I32(0), I32(7)}, 2, {Iterations(1)}, {&body}});
  EXPECT_EQ(results[0]->GetError().message(), "value");
  EXPECT_EQ(results[1]->get<int32_t>(), 7);
}

TEST_P(LoopTest, WhileStopsWhenCancelled) {
  TestFunction forever("forever", {"i32"}, {"i32", "i1"},
                       [&](const ExecutionContext& exec_ctx, Arguments values) {
                         if (++runs_ == 5) exec_ctx.request_ctx()->Cancel();
                         return Values{FormRef(values[0]), I1(true)};
                       });
  EXPECT_EQ(runner_.Error("tfrt.while", {{I1(true), I32(0)}, 1, {Iterations(1)}, {&forever}}),
            "Cancelled");
  EXPECT_EQ(runs_, 5);
}

TEST_P(LoopTest, WhileRefusesBadBodies) {
  EXPECT_EQ(
      runner_.Error("tfrt.while", {{I1(true), I32(0), I32(0)}, 2, {Iterations(1)}, {&count_}}),
      "tfrt.while needs a body with 2 arguments and 3 results, but 'count' has 1 and 2");
  EXPECT_EQ(runner_.Error("tfrt.while", {{I1(true), I32(0)}, 2, {Iterations(1)}, {&count_}}),
            "tfrt.while has 1 loop values, but 2 results");
  TestFunction no_condition("f", {"i32"}, {"i32", "i32"},
                            [](const ExecutionContext&, Arguments values) {
                              return Values{FormRef(values[0]), FormRef(values[0])};
                            });
  EXPECT_EQ(runner_.Error("tfrt.while", {{I1(true), I32(0)}, 1, {Iterations(1)}, {&no_condition}}),
            "tfrt.while needs a condition of type 'bool', but 'f' returned 'int'");
}

// --- tfrt.repeat.i32 ---

TEST_P(LoopTest, Repeat) {
  TestFunction inc("", {"i32"}, {"i32"}, [](const ExecutionContext&, Arguments values) {
    return Values{I32(values[0]->get<int32_t>() + 1)};
  });
  for (int32_t n : {0, 1, 31, 32, 33, 10000}) {
    EXPECT_EQ(runner_.Get<int32_t>("tfrt.repeat.i32", {{I32(n), I32(5)}, 1, {}, {&inc}}), n + 5);
  }
}

TEST_P(LoopTest, RepeatRunsBlocksOf32AheadOfTheFirstValue) {
  auto late = MakeUnconstructedAsyncValueRef<int32_t>();
  TestFunction body("", {"i32", "i32"}, {"i32", "i32"},
                    [&](const ExecutionContext&, Arguments values) {
                      ++runs_;
                      return Values{late.CopyRCRef(), FormRef(values[1])};
                    });
  Values results = runner_.Start("tfrt.repeat.i32", {{I32(40), I32(0), I32(9)}, 2, {}, {&body}});
  EXPECT_EQ(runs_, 32);
  late.emplace(1);
  EXPECT_EQ(runs_, 40);
  EXPECT_EQ(results[0]->get<int32_t>(), 1);
  EXPECT_EQ(results[1]->get<int32_t>(), 9);
}

TEST_P(LoopTest, RepeatWithoutValuesIsOneBlock) {
  TestFunction body("", {}, {}, [&](const ExecutionContext&, Arguments) {
    ++runs_;
    return Values();
  });
  runner_.Start("tfrt.repeat.i32", {{I32(100)}, 0, {}, {&body}});
  EXPECT_EQ(runs_, 100);
}

TEST_P(LoopTest, RepeatChecksCancellationBeforeEachIteration) {
  TestFunction body("", {"i32"}, {"i32"}, [&](const ExecutionContext& exec_ctx, Arguments values) {
    if (++runs_ == 3) exec_ctx.request_ctx()->Cancel();
    return Values{FormRef(values[0])};
  });
  EXPECT_EQ(runner_.Error("tfrt.repeat.i32", {{I32(10), I32(0)}, 1, {}, {&body}}), "Cancelled");
  EXPECT_EQ(runs_, 3);
}

TEST_P(LoopTest, RepeatRefusesBadCountsAndBodies) {
  TestFunction body("", {"i32"}, {"i32"}, [](const ExecutionContext&, Arguments values) {
    return Values{FormRef(values[0])};
  });
  EXPECT_EQ(runner_.Error("tfrt.repeat.i32", {{I32(-1), I32(0)}, 1, {}, {&body}}),
            "tfrt.repeat.i32 cannot run -1 times");
  EXPECT_EQ(runner_.Error("tfrt.repeat.i32", {{I32(1), I32(0), I32(0)}, 2, {}, {&body}}),
            "tfrt.repeat.i32 needs a body with 2 arguments and 2 results, but '' has 1 and 1");
  EXPECT_EQ(runner_.Error("tfrt.repeat.i32", {{I32(1), I32(0)}, 2, {}, {&body}}),
            "tfrt.repeat.i32 has 1 loop values, but 2 results");
}

}  // namespace
}  // namespace tfrt
