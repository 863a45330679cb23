// What the static and the live run share around the call of a kernel.

#include <gtest/gtest.h>

#include "lib/runtime/executor/run.h"
#include "test/unit/executor/bound_program.h"

namespace tfrt::internal {
namespace {

class FindErrorTest : public testing::Test {
 protected:
  AsyncValue* Find(std::vector<uint32_t> arguments) {
    AsyncValue* registers[] = {number_.get(), first_.get(), second_.get()};
    return FindError(exec_ctx_, registers, arguments);
  }

  TestHost host_;
  ExecutionContext exec_ctx_ = host_.MakeContext();
  RCReference<AsyncValue> number_ = MakeInt(1);
  RCReference<AsyncValue> first_ = MakeErrorAsyncValue(InternalError("first"));
  RCReference<AsyncValue> second_ = MakeErrorAsyncValue(InternalError("second"));
};

TEST_F(FindErrorTest, NullIfAllIsWell) {
  EXPECT_EQ(Find({}), nullptr);
  EXPECT_EQ(Find({0, 0}), nullptr);
}

TEST_F(FindErrorTest, TheLastErroneousArgument) {
  EXPECT_EQ(Find({1, 0}), first_.get());
  EXPECT_EQ(Find({1, 2, 0}), second_.get());
  EXPECT_EQ(Find({2, 0, 1}), first_.get());
}

TEST_F(FindErrorTest, TheCancellationIfNoArgumentIsAnError) {
  exec_ctx_.request_ctx()->Cancel();
  ASSERT_NE(Find({}), nullptr);
  EXPECT_EQ(Find({})->GetError().code(), StatusCode::kCancelled);
  EXPECT_EQ(Find({0})->GetError().code(), StatusCode::kCancelled);
  EXPECT_EQ(Find({0, 1}), first_.get());
}

TEST(PropagateErrorTest, EveryResultHoldsAReference) {
  RCReference<AsyncValue> error = MakeErrorAsyncValue(InternalError("x"));
  AsyncValue* results[3] = {};
  PropagateError(error.get(), results, 3);
  EXPECT_EQ(error->NumRef(), 4u);
  for (AsyncValue* result : results) {
    EXPECT_EQ(result, error.get());
    result->DropRef();
  }
  PropagateError(error.get(), results, 0);
  EXPECT_EQ(error->NumRef(), 1u);
}

// Sets its middle result only.
void SetOne(AsyncKernelFrame* frame) { frame->EmplaceResult<int32_t>(1, 5); }

TEST(ReportUnsetResultsTest, TheFirstIsNamedAndTheResultsThatAreSetStay) {
  for (const char* queue : {"s", "mstd:2"}) {
    TestHost host(queue);
    host.host().kernel_registry().AddKernel("k.set_one", {SetOne, nullptr});
    bef::FunctionSpec f{.name = "f"};
    uint32_t first = f.AddKernel(Op("k.set_one", {}, {"i32", "i32", "i32"}));
    f.returns = {first, first + 1, first + 2};
    bef::BefBuilder builder;
    builder.AddFunction(std::move(f));
    auto results = host.Run(*host.Load(builder), "f");
    EXPECT_EQ(results[0]->GetError().message(), "kernel 'k.set_one' did not set result 0");
    EXPECT_EQ(results[1]->get<int32_t>(), 5);
    EXPECT_EQ(results[2]->GetError().message(), "kernel 'k.set_one' did not set result 0");
    EXPECT_EQ(host.diagnostics().size(), 1u) << queue;
  }
}

}  // namespace
}  // namespace tfrt::internal
