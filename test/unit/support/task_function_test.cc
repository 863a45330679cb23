#include "tfrt/support/task_function.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
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

TEST(TaskFunctionTest, IsOnePointerToCallablesOfAnySize) {
  std::array<int, 100> numbers{};
  numbers[99] = 7;
  int seen = 0;
  TaskFunction task = [numbers, &seen] { seen = numbers[99]; };
  TaskFunction other;
  other = std::move(task);
  other();
  EXPECT_EQ(seen, 7);
  EXPECT_EQ(sizeof(TaskFunction), sizeof(void*));
}

TEST(TaskFunctionTest, AlignsCallables) {
  struct alignas(64) Aligned {
    uintptr_t* address;
    void operator()() { *address = reinterpret_cast<uintptr_t>(this); }
  };
  uintptr_t address = 1;
  TaskFunction(Aligned{&address}).CallAndReset();
  EXPECT_EQ(address % 64, 0u);
}

struct Recording {
  static constexpr bool kRecordsItself = true;
  void operator()() {}
};

TEST(TaskFunctionTest, RecordsItselfIfItsCallableSaysSo) {
  EXPECT_TRUE(TaskFunction(Recording()).records_itself());
  EXPECT_FALSE(TaskFunction([] {}).records_itself());
  EXPECT_FALSE(TaskFunction().records_itself());
}

struct OwnTask : internal::Task {
  OwnTask() : Task(&kOps) {}
  static OwnTask* Of(Task* task) { return static_cast<OwnTask*>(task); }
  static const Ops kOps;
  int num_calls = 0;
  int num_ends = 0;
};
constexpr internal::Task::Ops OwnTask::kOps = {[](Task* task) {
                                                 ++Of(task)->num_calls;
                                                 ++Of(task)->num_ends;
                                               },
                                               [](Task* task) { ++Of(task)->num_calls; },
                                               [](Task* task) { ++Of(task)->num_ends; }};

TEST(TaskFunctionTest, TakesOverTasksOfOtherOwners) {
  OwnTask own;
  TaskFunction(&own).CallAndReset();
  EXPECT_EQ(own.num_calls, 1);
  EXPECT_EQ(own.num_ends, 1);
  {
    TaskFunction dropped(&own);
    TaskFunction other;
    other = std::move(dropped);
    other();
  }
  EXPECT_EQ(own.num_calls, 2);
  EXPECT_EQ(own.num_ends, 2);
  EXPECT_EQ(TaskFunction(&own).release(), &own);
  EXPECT_EQ(own.num_ends, 2);
}

TEST(TaskFunctionTest, DestroysWhatItHolds) {
  auto shared = std::make_shared<int>(1);
  TaskFunction task = [shared] {};
  EXPECT_EQ(shared.use_count(), 2);
  task.reset();
  EXPECT_EQ(shared.use_count(), 1);
  task = [shared] {};
  task = [] {};
  EXPECT_EQ(shared.use_count(), 1);
}

}  // namespace
}  // namespace tfrt
