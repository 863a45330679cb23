// The single-threaded queue: the order of its tasks, and what it runs for those that wait.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

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

// Quiesce in a task: first what was added since, then, only because a ticket lives, the rest of the
// batch, the oldest task first, and then what the ticket has brought.
TEST(SingleThreadedWorkQueueTest, NestedQuiesceRunsTheRunningBatchBeforeItSleepsForATicket) {
  auto queue = CreateSingleThreadedWorkQueue();
  std::vector<int> order;
  TaskTicket device_ticket;
  std::thread device;
  queue->AddTask([&] {
    TaskTicket ticket = queue->MakeTicket();
    queue->AddTask([&] { order.push_back(1); });
    queue->AddTask([&, ticket = std::move(ticket)]() mutable {
      order.push_back(2);
      queue->AddTask([&, ticket = std::move(ticket)]() mutable {
        order.push_back(3);
        // In the hands of the task after next, which nobody but this Quiesce can run.
        device_ticket = std::move(ticket);
      });
    });
    queue->Quiesce();
    order.push_back(7);
  });
  queue->AddTask([&] { order.push_back(4); });
  queue->AddTask([&] {
    order.push_back(5);
    device = std::thread([&, ticket = std::move(device_ticket)]() mutable {
      ticket.AddTask([&] { order.push_back(6); });
    });
  });
  queue->Quiesce();
  device.join();
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4, 5, 6, 7));
}

// The ticket of a task that quiesces is over when the batch goes on.
TEST(SingleThreadedWorkQueueTest, QuiesceOfATaskLeavesItsBatchAloneOnceTheTicketIsGone) {
  auto queue = CreateSingleThreadedWorkQueue();
  std::vector<int> order;
  queue->AddTask([&] {
    queue->AddTask([&, ticket = queue->MakeTicket()]() mutable {
      order.push_back(1);
      ticket.AddTask([&] { order.push_back(2); });
    });
    queue->Quiesce();
    order.push_back(3);
  });
  queue->AddTask([&] { order.push_back(4); });
  queue->Quiesce();
  EXPECT_THAT(order, ElementsAre(1, 2, 3, 4));
}

// One thread has taken two tasks, of which the first quiesces; another one quiesces meanwhile and
// waits for the second, which has not begun.
TEST(SingleThreadedWorkQueueTest, QuiesceWaitsForTheBatchOfATaskThatQuiesces) {
  for (int round = 0; round < 20; ++round) {
    auto queue = CreateSingleThreadedWorkQueue();
    std::atomic<bool> has_begun{false}, has_second_run{false}, has_returned{false};
    queue->AddTask([&] {
      has_begun = true;
      for (int i = 0; i < 20000 && !has_returned; ++i) queue->Quiesce();
    });
    queue->AddTask([&] { has_second_run = true; });
    std::thread other([&] {
      while (!has_begun) std::this_thread::yield();
      queue->Quiesce();
      EXPECT_TRUE(has_second_run);
      has_returned = true;
    });
    queue->Quiesce();
    other.join();
  }
}

// Two threads, each in a task that quiesces and has another one behind it.
TEST(SingleThreadedWorkQueueTest, TasksOfTwoThreadsMayQuiesceBeforeTheirBatches) {
  for (int round = 0; round < 200; ++round) {
    auto queue = CreateSingleThreadedWorkQueue();
    std::atomic<int> begun{0}, ran{0};
    auto first = [&] {
      begun.fetch_add(1);
      while (begun < 2) std::this_thread::yield();
      queue->Quiesce();
    };
    auto second = [&] { ran.fetch_add(1); };
    queue->AddTask(first);
    queue->AddTask(second);
    std::thread other([&] {
      while (begun < 1) std::this_thread::yield();
      queue->AddTask(first);
      queue->AddTask(second);
      queue->Quiesce();
    });
    queue->Quiesce();
    other.join();
    EXPECT_EQ(ran, 2);
  }
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

}  // namespace
}  // namespace tfrt
