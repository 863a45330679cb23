#include "test/unit/kernels/kernel_runner.h"

namespace tfrt {
namespace {

class NonstrictTest : public testing::Test {
 protected:
  RCReference<AsyncValue> Select(RCReference<AsyncValue> condition, RCReference<AsyncValue> a,
                                 RCReference<AsyncValue> b) {
    return runner_.Start("tfrt_test.nonstrict_select",
                         {{std::move(condition), std::move(a), std::move(b)}})[0];
  }
  KernelRunner runner_;
};

TEST_F(NonstrictTest, IsRegisteredAsNonStrict) {
  EXPECT_TRUE(
      runner_.host().kernel_registry().FindKernel("tfrt_test.nonstrict_select")->non_strict());
}

TEST_F(NonstrictTest, DoesNotWaitForTheOtherOperand) {
  RCReference<AsyncValue> never = MakeIndirectAsyncValue();
  auto value = I32(4);
  EXPECT_EQ(Select(I1(true), value, never)->get<int32_t>(), 4);
  EXPECT_EQ(Select(I1(false), never, value)->get<int32_t>(), 4);
}

TEST_F(NonstrictTest, WaitsForConditionAndSelectedOperand) {
  auto condition = MakeIndirectAsyncValue();
  auto selected = MakeUnconstructedAsyncValueRef<int32_t>();
  auto result = Select(condition, selected.CopyRCRef(), MakeErrorAsyncValue(InternalError("x")));
  EXPECT_FALSE(result->IsAvailable());
  condition->ForwardTo(I1(true));
  EXPECT_FALSE(result->IsAvailable());
  selected.emplace(3);
  EXPECT_EQ(result->get<int32_t>(), 3);
}

TEST_F(NonstrictTest, ErrorsOfConditionAndSelectedOperandCount) {
  auto error = MakeErrorAsyncValue(InternalError("bad"));
  EXPECT_EQ(Select(error, I32(1), I32(2))->GetError().message(), "bad");
  EXPECT_EQ(Select(I1(false), I32(1), error)->GetError().message(), "bad");
  EXPECT_EQ(Select(I32(1), I32(1), I32(2))->GetError().message(),
            "nonstrict_select needs a condition of type 'bool', not 'int'");
}

}  // namespace
}  // namespace tfrt
