// Cancellation, and calls afterwards.

#include <thread>

#include "lib/api/eager/tracer.h"
#include "test/unit/eager/eager_fixture.h"

namespace tfrt::eager {
namespace {

using EagerCancellationTest = EagerModesTest;

void ExpectCancelled(const Status& status) {
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
  EXPECT_EQ(status.message(), "Cancelled");
}

TEST_P(EagerCancellationTest, ListenersMayGoAndCancelWhileTheyAreCalled) {
  int first_calls = 0, second_calls = 0;
  std::shared_ptr<void> first, second, third;
  first = OnCancel(*context_, [&] {
    ++first_calls;
    context_->Cancel();
    first.reset();
    third.reset();
  });
  second = OnCancel(*context_, [&] { ++second_calls; });
  third = OnCancel(*context_, [] { ADD_FAILURE() << "it has been taken away"; });
  context_->Cancel();
  context_->Cancel();
  EXPECT_EQ(first_calls, 1);
  EXPECT_EQ(second_calls, 2);
}

TEST_P(EagerCancellationTest, CallsFailUntilTheRestart) {
  Scope scope(*context_, On(device()));
  Tensor x = Make({1}, {1.0f});
  ASSERT_TRUE(Relu(x).status().ok());
  context_->Cancel();
  Tensor cancelled = Relu(x);
  ExpectCancelled(cancelled.status());
  ExpectCancelled(Make({1}, {2.0f}).status());
  ExpectCancelled(Relu(HostArray({1}, {2.0f})).status());
  ExpectCancelled(x.CopyTo("cpu:0").status());
  ExpectCancelled(CallEffect("test.Effect", x));
  context_->Cancel();  // again
  ExpectCancelled(Relu(x).status());
  // What is there can be read, from another device, too.
  EXPECT_EQ(x.Item<float>().value(), 1);
  context_->Restart();
  EXPECT_EQ(Relu(x).Item<float>().value(), 1);
  EXPECT_EQ(Make({1}, {2.0f}).Item<float>().value(), 2);
  EXPECT_EQ(x.CopyTo("cpu:0").Item<float>().value(), 1);
  // What was cancelled stays so.
  ExpectCancelled(cancelled.status());
  ExpectCancelled(Relu(cancelled).status());
  context_->Restart();  // nothing to restart
  EXPECT_EQ(Relu(x).Item<float>().value(), 1);
}

TEST_P(EagerCancellationTest, EachWayToCallNoticesTheRestartByItself) {
  Tensor x;
  {
    Scope scope(*context_, On("cpu:0"));
    x = Make({1}, {1.0f});
    ASSERT_TRUE(x.status().ok());
  }
  auto restart = [&] {
    context_->Cancel();
    context_->Restart();
  };
  Scope scope(*context_, On(device()));
  restart();
  EXPECT_TRUE(Make({1}, {2.0f}).status().ok());
  restart();
  EXPECT_TRUE(x.CopyTo(device()).status().ok());
  restart();
  EXPECT_TRUE(Relu(x).status().ok());
}

TEST_P(EagerCancellationTest, WhatHasNotBegunIsCancelled) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "cpu:0"});
  Tensor begun = CallOp("test.Gate", {Make({1}, {1.0f})});
  Tensor waiting = Relu(begun);
  CallEffect("test.Effect", begun).ok();
  // In FIFO order the first op must have begun.
  while (context_->queue_depth() > 2) std::this_thread::yield();
  if (GetParam().order == ExecutionOrder::kDataflow) {
    // Behind a marker, so that it has.
    Tensor marker = Make({1}, {1.0f});
    ASSERT_TRUE(marker.status().ok());
    context_->host()->Quiesce();
  }
  context_->Cancel();
  TestOps(*context_).OpenGate();
  ExpectCancelled(waiting.status());
  context_->Wait();
  EXPECT_TRUE(TestOps(*context_).TakeLog().empty());
  context_->Restart();
  CallEffect("test.Effect", Make({1}, {5})).ok();
  context_->Wait();
  EXPECT_EQ(TestOps(*context_).TakeLog(), std::vector<std::string>{"5"});
}

TEST_P(EagerCancellationTest, ACancelledCopyIsMadeAgain) {
  Tensor x, late;
  {
    Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = "cpu:0"});
    x = Make({1}, {1.0f});
    late = CallOp("test.Gate", {x});
  }
  Scope scope(*context_, {.mode = ExecutionMode::kAsync, .device = device()});
  Tensor copy = late.CopyTo(device());
  while (context_->queue_depth() > 1) std::this_thread::yield();
  context_->host()->Quiesce();
  context_->Cancel();
  TestOps(*context_).OpenGate();
  context_->Wait();
  ExpectCancelled(copy.status());
  context_->Restart();
  if (late.status().ok()) {
    EXPECT_EQ(late.CopyTo(device()).Item<float>().value(), 1);
    EXPECT_EQ(Relu(late).Item<float>().value(), 1);
    Scope sync(*context_, {.device = device()});
    EXPECT_EQ(Relu(late).Item<float>().value(), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, EagerCancellationTest, testing::ValuesIn(kAllModesOnDevices),
                         ModeName);

}  // namespace
}  // namespace tfrt::eager
