#include "lib/runtime/executor/task_capture.h"

#include <gtest/gtest.h>

#include <string>

#include "test/unit/executor/test_kernels.h"

namespace tfrt::internal {
namespace {

class TaskCaptureTest : public testing::Test {
 protected:
  void Enqueue(char name) {
    EnqueueTask(exec_ctx_, [this, name] { log_ += name; });
  }

  TestHost host_{"s"};
  ExecutionContext exec_ctx_ = host_.MakeContext();
  std::string log_;
};

TEST_F(TaskCaptureTest, WithoutOneTasksGoToTheQueue) {
  Enqueue('a');
  EXPECT_EQ(log_, "");
  host_.host().Quiesce();
  EXPECT_EQ(log_, "a");
}

TEST_F(TaskCaptureTest, ItsTasksRunBeforeTheQueues) {
  Enqueue('q');
  TaskCapture capture(exec_ctx_);
  Enqueue('a');
  Enqueue('b');
  EXPECT_EQ(log_, "");
  capture.RunAll();
  EXPECT_EQ(log_, "ab");
  host_.host().Quiesce();
  EXPECT_EQ(log_, "abq");
}

TEST_F(TaskCaptureTest, WhatItsTasksAddGoesToTheQueue) {
  TaskCapture capture(exec_ctx_);
  EnqueueTask(exec_ctx_, [this] { Enqueue('n'); });
  Enqueue('a');
  capture.RunAll();
  EXPECT_EQ(log_, "a");
  host_.host().Quiesce();
  EXPECT_EQ(log_, "an");
}

// A kernel may run functions of another host, whose tasks are not those of this one.
TEST_F(TaskCaptureTest, CollectsTasksOfItsQueueAlone) {
  TestHost other("s");
  const ExecutionContext elsewhere = other.MakeContext();
  TaskCapture capture(exec_ctx_);
  EnqueueTask(elsewhere, [this] { log_ += 'e'; });
  Enqueue('a');
  {
    TaskCapture inner(elsewhere);
    Enqueue('b');
    EnqueueTask(elsewhere, [this] { log_ += 'f'; });
    inner.RunAll();
    EXPECT_EQ(log_, "f");
  }
  capture.RunAll();
  EXPECT_EQ(log_, "fab");
  other.host().Quiesce();
  EXPECT_EQ(log_, "fabe");
}

TEST_F(TaskCaptureTest, TheInnermostCollects) {
  TaskCapture outer(exec_ctx_);
  Enqueue('o');
  {
    TaskCapture inner(exec_ctx_);
    EnqueueTask(exec_ctx_, [this] {
      log_ += 'i';
      Enqueue('p');  // where it would go without the inner one
    });
    inner.RunAll();
  }
  EXPECT_EQ(log_, "i");
  outer.RunAll();
  EXPECT_EQ(log_, "iop");
}

}  // namespace
}  // namespace tfrt::internal
