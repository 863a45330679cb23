// Variables: ordered, and as they were when an update fails.

#include "tfrt/eager/variable.h"

#include <thread>

#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using EagerVariablesTest = EagerModesTest;

std::vector<float> ValueOf(const Variable& variable) {
  Tensor value = variable.Read();
  return ValuesOf<float>(value);
}

TEST_P(EagerVariablesTest, ReadAndUpdate) {
  Scope scope(*context_, On(device()));
  Variable variable(Tensor::Of({1.0f, 2.0f}));
  EXPECT_THAT(ValueOf(variable), ElementsAre(1, 2));
  Tensor before = variable.Read();
  EXPECT_THAT(ValuesOf<float>(variable.AssignAdd(HostArray({2}, {1.0f, 1.0f}))), ElementsAre(2, 3));
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
  Variable same = variable;
  same.AssignSub(0.5f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(1.5f, 2.5f));
  variable.Assign(Tensor::Of({7.0f, 8.0f}));
  EXPECT_THAT(ValueOf(same), ElementsAre(7, 8));
  EXPECT_THAT(ValuesOf<float>(before), ElementsAre(1, 2));  // as it was read
  // An input of ops, and what the ops of training change.
  EXPECT_THAT(ValuesOf<float>(Mul(variable, 2.0f)), ElementsAre(14, 16));
  SgdUpdate(variable, Tensor::Of({4.0f, 8.0f}), 0.25f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(6, 6));
}

TEST_P(EagerVariablesTest, UpdatesWaitForTheOnesBefore) {
  Scope scope(*context_, On(device()));
  if (is_sync()) TestOps(*context_).OpenGate();
  Variable variable(Tensor::Of({1.0f}));
  variable.AssignAdd(CallOp("test.Gate", {Tensor::Of({10.0f})}));
  Tensor between = variable.Read();
  variable.Update([](const Tensor& old) { return Mul(old, 2.0f); });
  variable.AssignSub(1.0f);
  // In SYNC mode, too, the second device may still be at it.
  if (!is_sync()) {
    EXPECT_FALSE(variable.Read().IsAvailable());
  }
  if (!is_sync()) TestOps(*context_).OpenGate();
  EXPECT_THAT(ValuesOf<float>(between), ElementsAre(11));
  EXPECT_THAT(ValueOf(variable), ElementsAre(21));
}

TEST_P(EagerVariablesTest, OfManyThreads) {
  constexpr int kThreads = 4, kUpdates = 50;
  Variable variable;
  {
    Scope scope(*context_, On(device()));
    variable = Variable(Tensor::Of({0.0f, 100.0f}));
  }
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Scope scope(*context_, On(device()));
      for (int update = 0; update < kUpdates; ++update) {
        Tensor value = i % 2 == 0 ? variable.AssignAdd(1.0f) : variable.AssignSub(-1.0f);
        // Both elements at once.
        std::vector<float> elements = ValuesOf<float>(value);
        ASSERT_EQ(elements[1], elements[0] + 100);
        // What fails in between is as if it had not been.
        if (update % 10 == 0) variable.AssignAdd(Tensor::Of({1.0f, 2.0f, 3.0f}));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(ValueOf(variable), ElementsAre(kThreads * kUpdates, 100 + kThreads * kUpdates));
}

TEST_P(EagerVariablesTest, AFailedUpdateLeavesTheValue) {
  Scope scope(*context_, On(device()));
  TestOps(*context_).OpenGate();
  Variable variable(Tensor::Of({1.0f, 2.0f}));
  // At the call, in the op, and after it.
  Tensor wrong = variable.AssignAdd(Tensor::Of({1.0f, 2.0f, 3.0f}));
  EXPECT_EQ(TFRT_MESSAGE_AT(wrong.status(), __LINE__ - 1),
            "tf.AddV2: Dimensions must be equal, but are 2 and 3: x is f32 [2], y is f32 [3]");
  for (const char* op : {"test.Error", "test.LateError"}) {
    Tensor failed = variable.Update([&](const Tensor& old) { return CallOp(op, {old}); });
    EXPECT_THAT(std::string(failed.status().message()), HasSubstr(op));
    variable.AssignAdd(failed);
    EXPECT_THAT(ValueOf(variable), ElementsAre(1, 2));
  }
  variable.AssignAdd(1.0f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
}

TEST_P(EagerVariablesTest, DtypeShapeAndDeviceStay) {
  Variable variable;
  {
    Scope scope(*context_, On(device()));
    variable = Variable(Tensor::Of({1.0f, 2.0f}));
  }
  Scope scope(*context_, On("cpu:0"));
  EXPECT_EQ(variable.AssignAdd(1.0f).device(), device());
  EXPECT_EQ(variable.Read().device(), device());
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
  Tensor integers = variable.Assign(Tensor::Of({1, 2}));
  EXPECT_EQ(TFRT_MESSAGE_AT(integers.status(), __LINE__ - 1),
            "Variable: the variable is f32 [2], but its new value i32 [2]");
  // Broadcasting makes more of it, and the shape of the next is known when it has run.
  Tensor matrix = variable.AssignAdd(Tensor::Of({{1.0f, 1.0f}, {1.0f, 1.0f}}));
  EXPECT_EQ(TFRT_MESSAGE_AT(matrix.status(), __LINE__ - 1),
            "Variable: the variable is f32 [2], but its new value f32 [2, 2]");
  Tensor one =
      variable.Update([](const Tensor&) { return CallOp("test.Same", {Tensor::Of({1.0f})}); });
  EXPECT_THAT(std::string(one.status().message()), HasSubstr("but its new value f32 [1]"));
  EXPECT_THAT(ValueOf(variable), ElementsAre(2, 3));
}

TEST_P(EagerVariablesTest, ACancelledUpdateLeavesTheValue) {
  Scope scope(*context_, On(device()));
  Variable variable(Tensor::Of({1.0f}));
  ASSERT_TRUE(variable.Read().status().ok());
  Tensor update;
  if (!is_sync()) {
    // Called before, and not begun.
    Tensor late = CallOp("test.Gate", {Tensor::Of({10.0f})});
    update = variable.AssignAdd(late);
  }
  context_->Cancel();
  Tensor refused = variable.AssignAdd(5.0f);
  EXPECT_EQ(refused.status().code(), StatusCode::kCancelled);
  TestOps(*context_).OpenGate();
  context_->Wait();
  if (!is_sync()) {
    EXPECT_EQ(update.status().code(), StatusCode::kCancelled);
  }
  context_->Restart();
  EXPECT_THAT(ValueOf(variable), ElementsAre(1));
  variable.AssignAdd(1.0f);
  EXPECT_THAT(ValueOf(variable), ElementsAre(2));
}

TEST_P(EagerVariablesTest, WithoutAValue) {
  Scope scope(*context_, On(device()));
  Variable none;
  EXPECT_FALSE(none.valid());
  EXPECT_FALSE(none.Read().valid());
  EXPECT_EQ(TFRT_MESSAGE_AT(none.AssignAdd(1.0f).status(), __LINE__),
            "Variable: this is not a variable");
  Variable variable(Tensor::Of({1.0f}));
  Tensor nothing = variable.Update([](const Tensor&) { return Tensor(); });
  EXPECT_EQ(TFRT_MESSAGE_AT(nothing.status(), __LINE__ - 1),
            "Variable: the new value is not a tensor");
  auto other = MakeContext();
  Tensor elsewhere = variable.Update([&](const Tensor&) {
    Scope scope(*other, {.mode = mode()});
    return Tensor::Of({2.0f});
  });
  EXPECT_EQ(TFRT_MESSAGE_AT(elsewhere.status(), __LINE__ - 4),
            "Variable: the new value belongs to another context");
  EXPECT_THAT(ValueOf(variable), ElementsAre(1));
  // One that begins as an error stays one.
  Tensor error = CallOp("test.Error", {Tensor::Of({1.0f})});
  Variable bad(error);
  EXPECT_EQ(bad.AssignAdd(1.0f).status(), error.status());
  EXPECT_EQ(bad.Read().status(), error.status());
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerVariablesTest, testing::ValuesIn(kAllModesOnDevices),
                         ModeName);

}  // namespace
}  // namespace tfrt::eager
