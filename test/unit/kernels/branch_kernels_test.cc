#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

// A function (i32) -> i32 that adds `n`.
TestFunction Plus(std::string_view name, int32_t n) {
  return TestFunction(name, {"i32"}, {"i32"},
                      [n](const ExecutionContext&, std::span<AsyncValue* const> arguments) {
                        return Values{I32(arguments[0]->get<int32_t>() + n)};
                      });
}

class BranchTest : public testing::Test {
 protected:
  KernelRunner runner_;
  TestFunction plus1_ = Plus("plus1", 1);
  TestFunction plus2_ = Plus("plus2", 2);
};

TEST_F(BranchTest, Call) {
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.call", {{I32(5)}, 1, {}, {&plus1_}}), 6);
}

TEST_F(BranchTest, CallWithTheWrongNumberOfArguments) {
  EXPECT_EQ(runner_.Error("tfrt.call", {{I32(5), I32(6)}, 1, {}, {&plus1_}}),
            "function 'plus1' takes 1 arguments, but 2 were given");
}

TEST_F(BranchTest, IfAndCond) {
  for (const char* kernel : {"tfrt.if", "tfrt.cond"}) {
    EXPECT_EQ(runner_.Get<int32_t>(kernel, {{I1(true), I32(5)}, 1, {}, {&plus1_, &plus2_}}), 6);
    EXPECT_EQ(runner_.Get<int32_t>(kernel, {{I1(false), I32(5)}, 1, {}, {&plus1_, &plus2_}}), 7);
  }
}

TEST_F(BranchTest, CaseOutOfRangeSelectsTheLastBranch) {
  for (auto [index, result] : {std::pair(0, 6), {1, 7}, {2, 7}, {-1, 7}, {-2147483647, 7}}) {
    EXPECT_EQ(runner_.Get<int32_t>("tfrt.case", {{I32(index), I32(5)}, 1, {}, {&plus1_, &plus2_}}),
              result);
  }
}

TEST_F(BranchTest, CaseWithoutBranches) {
  EXPECT_EQ(runner_.Error("tfrt.case", {{I32(0), I32(5)}}), "tfrt.case has no branches");
}

TEST_F(BranchTest, ManyValuesFitAnyBuffer) {
  TestFunction forward("forward", std::vector<std::string_view>(20, "i32"),
                       std::vector<std::string_view>(20, "i32"),
                       [](const ExecutionContext&, std::span<AsyncValue* const> arguments) {
                         Values results;
                         for (AsyncValue* value : arguments) results.push_back(FormRef(value));
                         return results;
                       });
  Values arguments;
  for (int i = 0; i < 20; ++i) arguments.push_back(I32(i));
  Values results = runner_.Run("tfrt.call", {arguments, 20, {}, {&forward}});
  for (int i = 0; i < 20; ++i) EXPECT_EQ(results[i].get(), arguments[i].get());
}

TEST_F(BranchTest, DoAsyncRunsAsATask) {
  Values results = runner_.Start("tfrt_test.do.async", {{I32(5)}, 1, {}, {&plus1_}});
  EXPECT_FALSE(results[0]->IsAvailable());
  runner_.host().Quiesce();
  EXPECT_EQ(results[0]->get<int32_t>(), 6);
}

TEST_F(BranchTest, DoAsyncHoldsItsArgumentsUntilTheTaskIsGone) {
  auto argument = I32(5);
  uint32_t references_inside = 0;
  TestFunction body("body", {"i32"}, {},
                    [&](const ExecutionContext&, std::span<AsyncValue* const> arguments) {
                      references_inside = arguments[0]->NumRef();
                      return Values();
                    });
  runner_.Start("tfrt_test.do.async", {{argument}, 0, {}, {&body}});
  EXPECT_EQ(argument->NumRef(), 2u);
  runner_.host().Quiesce();
  EXPECT_EQ(references_inside, 2u);
  EXPECT_EQ(argument->NumRef(), 1u);
}

TEST_F(BranchTest, OnceRunsOncePerFunction) {
  int runs = 0;
  TestFunction body("body", {"i32"}, {"i32"},
                    [&](const ExecutionContext&, std::span<AsyncValue* const> arguments) {
                      ++runs;
                      return Values{FormRef(arguments[0])};
                    });
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{I32(5)}, 1, {}, {&body}}), 5);
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{I32(6)}, 1, {}, {&body}}), 5);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{I32(6)}, 1, {}, {&plus1_}}), 7);
}

// As two files have them.
TEST_F(BranchTest, OnceForEachFunctionOfOneName) {
  auto returns = [](int32_t value) {
    return [value](const ExecutionContext&, std::span<AsyncValue* const>) {
      return Values{MakeAvailableAsyncValueRef<int32_t>(value).ReleaseRCRef()};
    };
  };
  TestFunction first("body", {}, {"i32"}, returns(1)), second("body", {}, {"i32"}, returns(2));
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{}, 1, {}, {&first}}), 1);
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{}, 1, {}, {&second}}), 2);
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{}, 1, {}, {&first}}), 1);
}

TEST_F(BranchTest, OnceStoresErrors) {
  TestFunction body("body", {}, {"i32"}, [](const ExecutionContext&, std::span<AsyncValue* const>) {
    return Values{MakeErrorAsyncValue(InternalError("first"))};
  });
  EXPECT_EQ(runner_.Error("tfrt.once", {{}, 1, {}, {&body}}), "first");
  EXPECT_EQ(runner_.Error("tfrt.once", {{}, 1, {}, {&body}}), "first");
}

// The request of the first call ends while its function runs; what that computes is everybody's.
TEST_F(BranchTest, OnceIsNotCancelledWithTheRequestThatCameFirst) {
  TestFunction body("body", {}, {"i32"},
                    [&](const ExecutionContext& exec_ctx, std::span<AsyncValue* const>) {
                      runner_.request().Cancel();
                      if (AsyncValue* error = exec_ctx.request_ctx()->GetCancelAsyncValue()) {
                        return Values{FormRef(error)};
                      }
                      EXPECT_EQ(exec_ctx.resource_context(), &runner_.resources());
                      return Values{I32(exec_ctx.request_ctx()->GetData<int32_t>())};
                    });
  runner_.Run("tfrt.once", {{}, 1, {}, {&body}});
  EXPECT_TRUE(runner_.request().IsCancelled());
  runner_.set_request(RequestContextBuilder(&runner_.host(), &runner_.resources()).Build());
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.once", {{}, 1, {}, {&body}}), 100);
}

TEST_F(BranchTest, OnceWithTheWrongNumberOfResults) {
  EXPECT_EQ(runner_.Error("tfrt.once", {{I32(1)}, 2, {}, {&plus1_}}),
            "tfrt.once has 2 results, but 'plus1' returns 1");
}

TEST_F(BranchTest, OnceNeedsAResourceContext) {
  runner_.set_request(RequestContextBuilder(&runner_.host(), nullptr).Build());
  EXPECT_EQ(runner_.Error("tfrt.once", {{I32(1)}, 1, {}, {&plus1_}}),
            "tfrt.once requires resource context");
  EXPECT_TRUE(runner_.diagnostics().empty());
}

}  // namespace
}  // namespace tfrt
