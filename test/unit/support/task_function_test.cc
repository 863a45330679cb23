#include "tfrt/support/task_function.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace tfrt {
namespace {

TEST(TaskFunctionTest, HoldsMoveOnlyCallables) {
  int calls = 0;
  TaskFunction task = [&calls, value = std::make_unique<int>(3)] { calls += *value; };
  TaskFunction moved = std::move(task);
  EXPECT_FALSE(task);
  moved();
  moved();
  EXPECT_EQ(calls, 6);
}

TEST(TaskFunctionTest, LargeCallablesLiveOnTheHeap) {
  std::array<int, 100> numbers{};
  numbers[99] = 7;
  int seen = 0;
  TaskFunction task = [numbers, &seen] { seen = numbers[99]; };
  TaskFunction other;
  other = std::move(task);
  other();
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(sizeof(TaskFunction), 64u);
}

TEST(TaskFunctionTest, DestroysWhatItHolds) {
  auto shared = std::make_shared<int>(1);
  TaskFunction task = [shared] {};
  EXPECT_EQ(shared.use_count(), 2);
  task.reset();
  EXPECT_EQ(shared.use_count(), 1);
}

}  // namespace
}  // namespace tfrt
