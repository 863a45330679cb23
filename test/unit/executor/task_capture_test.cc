#include "lib/executor/task_capture.h"

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
  TaskCapture capture;
  Enqueue('a');
  Enqueue('b');
  EXPECT_EQ(log_, "");
  capture.RunAll();
  EXPECT_EQ(log_, "ab");
  host_.host().Quiesce();
  EXPECT_EQ(log_, "abq");
}

TEST_F(TaskCaptureTest, WhatItsTasksAddGoesToTheQueue) {
  TaskCapture capture;
  EnqueueTask(exec_ctx_, [this] { Enqueue('n'); });
  Enqueue('a');
  capture.RunAll();
  EXPECT_EQ(log_, "a");
  host_.host().Quiesce();
  EXPECT_EQ(log_, "an");
}

TEST_F(TaskCaptureTest, TheInnermostCollects) {
  TaskCapture outer;
  Enqueue('o');
  {
    TaskCapture inner;
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
