// The two queues: the conformance suite, names and arguments, the order of the single-threaded
// queue, who looks for tasks in the multi-threaded one, the promises of the blocking pool.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "test/support/work_queue_conformance.h"
#include "tfrt/host_context/concurrent_work_queue.h"

namespace tfrt {
namespace {

using testing::ElementsAre;
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

TEST(SingleThreadedWorkQueueTest, RunsInOrderOfAddition) {
  auto queue = CreateSingleThreadedWorkQueue();
  std::vector<int> order;
  queue->AddTask([&] {
    order.push_back(0);
    queue->AddTask([&] { order.push_back(3); });
  });
  EXPECT_FALSE(queue->AddBlockingTask([&] { order.push_back(1); }, /*allow_queuing=*/true));
  queue->AddTask([&] { order.push_back(2); });
  EXPECT_TRUE(order.empty());
  queue->Quiesce();
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST(SingleThreadedWorkQueueTest, NestedQuiesceDoesNotSeeTheRunningBatch) {
  auto queue = CreateSingleThreadedWorkQueue();
  std::vector<int> order;
  queue->AddTask([&] {
    queue->AddTask([&] { order.push_back(1); });
    queue->Quiesce();
    order.push_back(2);
  });
  queue->AddTask([&] { order.push_back(3); });
  queue->Quiesce();
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST(SingleThreadedWorkQueueTest, AwaitStopsBetweenTasksAndKeepsTheOrder) {
  auto queue = CreateSingleThreadedWorkQueue();
  auto value = MakeUnconstructedAsyncValueRef<int>();
  std::vector<int> order;
  queue->AddTask([&] {
    queue->AddTask([&] { order.push_back(3); });
    value.emplace(1);
    order.push_back(1);
  });
  queue->AddTask([&] { order.push_back(2); });
  AsyncValue* values[] = {value.GetAsyncValue()};
  queue->Await(values);
  EXPECT_THAT(order, ElementsAre(1));
  queue->Quiesce();
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST(SingleThreadedWorkQueueTest, AwaitInATaskRunsTheRestOfTheBatchFirst) {
  auto queue = CreateSingleThreadedWorkQueue();
  auto value = MakeUnconstructedAsyncValueRef<int>();
  std::vector<int> order;
  queue->AddTask([&] {
    queue->AddTask([&] { order.push_back(4); });
    queue->AddTask([&] { value.emplace(1); });
    queue->AddTask([&] { order.push_back(6); });
    AsyncValue* awaited = value.GetAsyncValue();
    queue->Await({&awaited, 1});
    order.push_back(5);
  });
  queue->AddTask([&] { order.push_back(2); });
  queue->AddTask([&] { order.push_back(3); });
  queue->Quiesce();
  EXPECT_THAT(order, ElementsAre(2, 3, 4, 5, 6));
}

// Quiesce leaves the outer batch alone, but a task that it runs may depend on it.
TEST(SingleThreadedWorkQueueTest, AwaitInANestedQuiesceRunsTheOuterBatchFirst) {
  auto queue = CreateSingleThreadedWorkQueue();
  auto value = MakeUnconstructedAsyncValueRef<int>();
  std::vector<int> order;
  queue->AddTask([&] {
    queue->AddTask([&] { order.push_back(1); });
    queue->AddTask([&] {
      AsyncValue* awaited = value.GetAsyncValue();
      queue->Await({&awaited, 1});
      order.push_back(3);
    });
    queue->AddTask([&] { order.push_back(4); });
    queue->Quiesce();
    order.push_back(5);
  });
  queue->AddTask([&] {
    order.push_back(2);
    value.emplace(1);
  });
  queue->AddTask([&] { order.push_back(6); });
  queue->Quiesce();
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4, 5, 6));
}

// One thread takes a batch and stops in the middle of it; another one sleeps meanwhile and needs
// the rest.
TEST(SingleThreadedWorkQueueTest, WhatAwaitPutsBackWakesOtherThreads) {
  for (int round = 0; round < 15; ++round) {
    auto queue = CreateSingleThreadedWorkQueue();
    auto first = MakeUnconstructedAsyncValueRef<int>();
    auto second = MakeUnconstructedAsyncValueRef<int>();
    std::thread sleeper;
    queue->AddTask([&] {
      sleeper = std::thread([&] {
        AsyncValue* value = second.GetAsyncValue();
        queue->Await({&value, 1});
      });
      // Most likely asleep then; if not, the test shows less but does not fail.
      for (int i = 0; i < 100; ++i) std::this_thread::yield();
      first.emplace(1);
    });
    queue->AddTask([&] { second.emplace(2); });
    AsyncValue* value = first.GetAsyncValue();
    queue->Await({&value, 1});
    sleeper.join();
    EXPECT_EQ(*second, 2);
  }
}

TEST(SingleThreadedWorkQueueTest, HandsBackBlockingTasksThatMayNotWait) {
  auto queue = CreateSingleThreadedWorkQueue();
  bool ran = false;
  auto task = queue->AddBlockingTask([&] { ran = true; }, /*allow_queuing=*/false);
  queue->Quiesce();
  EXPECT_FALSE(ran);
  ASSERT_TRUE(task.has_value());
  (*task)();
  EXPECT_TRUE(ran);
}

TEST(MultiThreadedWorkQueueTest, TasksRunOnWorkers) {
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  std::atomic<bool> in_worker{false};
  queue->AddTask([&] { in_worker = queue->IsInWorkerThread(); });
  queue->Quiesce();
  EXPECT_TRUE(in_worker);
  EXPECT_FALSE(queue->IsInWorkerThread());
}

// Both of two tasks are inside a task at the same time, so two workers run.
TEST(MultiThreadedWorkQueueTest, WorkersRunAtTheSameTime) {
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  std::atomic<int> inside{0};
  for (int i = 0; i < 2; ++i) {
    queue->AddTask([&] {
      inside.fetch_add(1);
      while (inside.load() < 2) std::this_thread::yield();
    });
  }
  queue->Quiesce();
  EXPECT_EQ(inside.load(), 2);
}

// The first worker is busy until another has stolen the task from its deque.
TEST(MultiThreadedWorkQueueTest, TasksOfABusyWorkerAreStolen) {
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  std::atomic<bool> stolen{false};
  queue->AddTask([&] {
    queue->AddTask([&] { stolen = true; });
    while (!stolen) std::this_thread::yield();
  });
  queue->Quiesce();
}

// Starts that many workers of a new queue and returns when they sleep. Without a system that tells
// who does, the tests below show less but do not fail.
void StartWorkers(ConcurrentWorkQueue* queue, int num_workers) {
  std::vector<std::atomic<long>> thread_ids(num_workers);
  std::atomic<int> running{0};
  for (auto& thread_id : thread_ids) {
    queue->AddTask([&] {
      thread_id = syscall(SYS_gettid);
      running.fetch_add(1);
      while (running < num_workers) std::this_thread::yield();
    });
  }
  queue->Quiesce();
  if (!IsAsleepKnown()) return;
  for (auto& thread_id : thread_ids) {
    while (!IsAsleep(thread_id)) std::this_thread::yield();
  }
}

// One worker leaves a task alone in its deque and is busy until it has run. The other one is woken
// for it, but finds a task from outside, with which it is busy as well: a third one must be
// started.
TEST(MultiThreadedWorkQueueTest, AWorkerThatFindsATaskHandsOnTheSearchForLoneTasks) {
  for (int round = 0; round < 5; ++round) {
    auto queue = CreateMultiThreadedWorkQueue(3, 1);
    StartWorkers(queue.get(), 2);
    std::atomic<bool> added{false}, ran{false};
    queue->AddTask([&] {
      queue->AddTask([&] { ran = true; });
      added = true;
      while (!ran) std::this_thread::yield();
    });
    while (!added) {
    }
    queue->AddTask([&] {
      while (!ran) std::this_thread::yield();
    });
    queue->Quiesce();
  }
}

// The one that would look for such tasks is inside of Await. It goes on when the value is there,
// and is busy: one that sleeps must be woken.
TEST(MultiThreadedWorkQueueTest, AWorkerThatAwaitsHandsOnTheSearchForLoneTasks) {
  for (int round = 0; round < 5; ++round) {
    auto queue = CreateMultiThreadedWorkQueue(3, 1);
    StartWorkers(queue.get(), 3);
    auto value = MakeUnconstructedAsyncValueRef<int>();
    std::atomic<long> awaiting{0};
    std::atomic<bool> added{false}, ran{false};
    // Added first, or it could run inside of the Await.
    queue->AddTask([&] {
      while (awaiting == 0 || (IsAsleepKnown() && !IsAsleep(awaiting))) std::this_thread::yield();
      queue->AddTask([&] { ran = true; });
      added = true;
      while (!ran) std::this_thread::yield();
    });
    queue->AddTask([&] {
      awaiting = syscall(SYS_gettid);
      AsyncValue* awaited = value.GetAsyncValue();
      queue->Await({&awaited, 1});
      while (!ran) std::this_thread::yield();
    });
    while (!added) {
    }
    value.emplace(1);
    queue->Quiesce();
  }
}

// Each waits until all have started: more than the pool's threads, all without queuing.
TEST(MultiThreadedWorkQueueTest, UnqueuedBlockingTasksAllStart) {
  constexpr int kTasks = 12;
  auto queue = CreateMultiThreadedWorkQueue(1, 2);
  std::atomic<int> started{0};
  for (int i = 0; i < kTasks; ++i) {
    auto rejected = queue->AddBlockingTask(
        [&] {
          started.fetch_add(1);
          started.notify_all();
          for (int n = started.load(); n < kTasks; n = started.load()) started.wait(n);
        },
        /*allow_queuing=*/false);
    ASSERT_FALSE(rejected.has_value());
  }
  queue->Quiesce();
  EXPECT_EQ(started.load(), kTasks);
}

// A task that may not wait occupies its thread until one that may has run: the two kinds do not
// share the pool's threads.
TEST(MultiThreadedWorkQueueTest, QueuedBlockingTasksDoNotWaitForUnqueuedOnes) {
  auto queue = CreateMultiThreadedWorkQueue(1, 1);
  std::atomic<bool> released{false};
  ASSERT_FALSE(queue->AddBlockingTask([&] { released.wait(false); }, /*allow_queuing=*/false));
  ASSERT_FALSE(queue->AddBlockingTask(
      [&] {
        released = true;
        released.notify_all();
      },
      /*allow_queuing=*/true));
  queue->Quiesce();
}

TEST(MultiThreadedWorkQueueTest, QueuedBlockingTasksNeverExceedThePool) {
  auto queue = CreateMultiThreadedWorkQueue(1, 3);
  std::atomic<int> inside{0};
  std::atomic<int> most{0};
  for (int i = 0; i < 300; ++i) {
    ASSERT_FALSE(queue->AddBlockingTask(
        [&] {
          int now = inside.fetch_add(1) + 1;
          int old = most.load();
          while (old < now && !most.compare_exchange_weak(old, now)) {
          }
          std::this_thread::yield();
          inside.fetch_sub(1);
        },
        /*allow_queuing=*/true));
    auto rejected = queue->AddBlockingTask([] {}, /*allow_queuing=*/false);
    ASSERT_FALSE(rejected.has_value());
  }
  queue->Quiesce();
  EXPECT_LE(most.load(), 3);
}

TEST(MultiThreadedWorkQueueTest, BlockingTasksMayQuiesceAtTheSameTime) {
  auto queue = CreateMultiThreadedWorkQueue(2, 2);
  std::atomic<int> done{0};
  for (int i = 0; i < 2; ++i) {
    ASSERT_FALSE(queue->AddBlockingTask(
        [&] {
          queue->Quiesce();
          done.fetch_add(1);
        },
        /*allow_queuing=*/true));
  }
  queue->Quiesce();
  EXPECT_EQ(done.load(), 2);
}

}  // namespace
}  // namespace tfrt
