// Queues by name: the conformance suite for all of them, names and arguments.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "test/support/work_queue_conformance.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using testing::HasSubstr;

INSTANTIATE_TEST_SUITE_P(Queues, WorkQueueConformance,
                         testing::Values("s", "mstd:1,1", "mstd:2", "mstd:4,3"));

TEST(WorkQueueRegistryTest, NamesTellTheThreads) {
  EXPECT_EQ((*CreateWorkQueue("s"))->name(), "single-threaded");
  EXPECT_TRUE((*CreateWorkQueue("s"))->IsSingleThreaded());
  EXPECT_EQ((*CreateWorkQueue("mstd:3"))->name(),
            "Multi-threaded C++ work queue (3 threads, 256 blocking threads)");
  EXPECT_EQ((*CreateWorkQueue("mstd:3,5"))->name(),
            "Multi-threaded C++ work queue (3 threads, 5 blocking threads)");
  EXPECT_EQ((*CreateWorkQueue("mstd:3"))->GetParallelismLevel(), 3);
  EXPECT_FALSE((*CreateWorkQueue("mstd"))->IsSingleThreaded());
}

TEST(WorkQueueRegistryTest, BadArgumentsAreLoggedAndRefused) {
  for (std::string argument :
       {"", "x", "0", "-1", "2x", "2,", "2,y", "2,0", "2,3,4", "99999999999"}) {
    testing::internal::CaptureStderr();
    auto queue = CreateWorkQueue("mstd:" + argument);
    std::string log = testing::internal::GetCapturedStderr();
    ASSERT_FALSE(queue.ok()) << argument;
    EXPECT_EQ(queue.status().message(), "couldn't create work queue type mstd:" + argument);
    EXPECT_THAT(log, HasSubstr("Invalid argument for multi-threaded work queue: " + argument));
  }
  testing::internal::CaptureStderr();
  auto queue = CreateWorkQueue("s:1");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("Invalid argument for single-threaded work queue: 1"));
  ASSERT_FALSE(queue.ok());
  EXPECT_EQ(queue.status().message(), "couldn't create work queue type s:1");
}

TEST(WorkQueueRegistryTest, UnknownTypeIsRefused) {
  auto queue = CreateWorkQueue("nosuch:1");
  ASSERT_FALSE(queue.ok());
  EXPECT_EQ(queue.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(queue.status().message(), "couldn't create work queue type nosuch:1");
}

TEST(WorkQueueRegistryTest, RegisteredTypeGetsItsArgument) {
  // The table belongs to the process: a new name for each --gtest_repeat.
  static int repetition = 0;
  const std::string name = "mine" + std::to_string(repetition++);
  std::string seen;
  ASSERT_TRUE(RegisterWorkQueueFactory(name, [&seen](std::string_view argument) {
                seen = argument;
                return StatusOr<std::unique_ptr<ConcurrentWorkQueue>>(
                    CreateSingleThreadedWorkQueue());
              }).ok());
  EXPECT_TRUE(CreateWorkQueue(name + ":a:b").ok());
  EXPECT_EQ(seen, "a:b");
  Status again = RegisterWorkQueueFactory(name, nullptr);
  EXPECT_EQ(again.code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(again.message(), "work queue type '" + name + "' exists already");
  EXPECT_EQ(RegisterWorkQueueFactory("mstd", nullptr).code(), StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace tfrt
