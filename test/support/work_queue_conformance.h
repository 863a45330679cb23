// What every ConcurrentWorkQueue promises, written once: instantiate with
//   INSTANTIATE_TEST_SUITE_P(MyQueue, WorkQueueConformance, testing::Values("mstd:2", ...));
// with texts that CreateWorkQueue understands.
#ifndef TFRT_TEST_SUPPORT_WORK_QUEUE_CONFORMANCE_H_
#define TFRT_TEST_SUPPORT_WORK_QUEUE_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/concurrent_work_queue.h"

namespace tfrt {

class WorkQueueConformance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto queue = CreateWorkQueue(GetParam());
    ASSERT_TRUE(queue.ok());
    queue_ = *std::move(queue);
  }
  // Adds a task that adds two more, `depth` times.
  void AddTree(int depth) { AddTree(queue_.get(), depth); }
  void AddTree(ConcurrentWorkQueue* queue, int depth) {
    queue->AddTask([this, queue, depth] {
      ran_.fetch_add(1);
      if (depth == 0) return;
      AddTree(queue, depth - 1);
      AddTree(queue, depth - 1);
    });
  }

  std::atomic<int> ran_{0};
  std::unique_ptr<ConcurrentWorkQueue> queue_;  // destroyed first: its tasks use `ran_`
};

TEST_P(WorkQueueConformance, HasNameAndParallelism) {
  EXPECT_FALSE(queue_->name().empty());
  EXPECT_GE(queue_->GetParallelismLevel(), 1);
  EXPECT_FALSE(queue_->IsInWorkerThread());
}

TEST_P(WorkQueueConformance, QuiesceOfAnEmptyQueueReturns) { queue_->Quiesce(); }

TEST_P(WorkQueueConformance, QuiesceRunsEveryTaskOnce) {
  constexpr int kTasks = 5000;
  std::vector<std::atomic<int>> count(kTasks);
  for (int i = 0; i < kTasks; ++i) queue_->AddTask([&count, i] { count[i].fetch_add(1); });
  queue_->Quiesce();
  for (const auto& c : count) EXPECT_EQ(c.load(), 1);
}

TEST_P(WorkQueueConformance, QuiesceWaitsForTasksThatTasksAdd) {
  AddTree(11);
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), (1 << 12) - 1);
}

TEST_P(WorkQueueConformance, OneTaskMayAddMoreThanAnyDequeHolds) {
  constexpr int kTasks = 5000;
  queue_->AddTask([this] {
    for (int i = 0; i < kTasks; ++i) queue_->AddTask([this] { ran_.fetch_add(1); });
  });
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), kTasks);
}

TEST_P(WorkQueueConformance, DestructionRunsWhatIsLeft) {
  AddTree(6);
  queue_.reset();
  EXPECT_EQ(ran_.load(), (1 << 7) - 1);
}

TEST_P(WorkQueueConformance, ManyThreadsMayAddTasks) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int i = 0; i < 1000; ++i) queue_->AddTask([this] { ran_.fetch_add(1); });
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 4000);
}

// Each round leaves the workers time to park, or not: no wake-up may be lost.
TEST_P(WorkQueueConformance, AwaitReturnsForEveryRoundTrip) {
  for (int i = 0; i < 2000; ++i) {
    auto value = MakeUnconstructedAsyncValueRef<int>();
    queue_->AddTask([value = value.CopyRef(), i] { value.emplace(i); });
    AsyncValue* values[] = {value.GetAsyncValue()};
    queue_->Await(values);
    ASSERT_EQ(value.get(), i);
  }
}

TEST_P(WorkQueueConformance, AwaitTakesErrorsAsAvailable) {
  auto value = MakeUnconstructedAsyncValueRef<int>();
  queue_->AddTask([value = value.CopyRef()] { value.SetError(InternalError("no")); });
  AsyncValue* values[] = {value.GetAsyncValue()};
  queue_->Await(values);
  EXPECT_EQ(value.GetError().message(), "no");
}

TEST_P(WorkQueueConformance, AwaitWaitsForOtherThreads) {
  auto value = MakeUnconstructedAsyncValueRef<int>();
  std::thread other([value = value.CopyRef()] { value.emplace(7); });
  AsyncValue* values[] = {value.GetAsyncValue()};
  queue_->Await(values);
  EXPECT_EQ(value.get(), 7);
  other.join();
}

TEST_P(WorkQueueConformance, TaskMayAwaitATaskBehindIt) {
  bool awaited = false;
  queue_->AddTask([&] {
    auto value = MakeUnconstructedAsyncValueRef<int>();
    queue_->AddTask([value = value.CopyRef()] { value.emplace(1); });
    AsyncValue* values[] = {value.GetAsyncValue()};
    queue_->Await(values);
    awaited = value.IsAvailable();
  });
  queue_->Quiesce();
  EXPECT_TRUE(awaited);
}

TEST_P(WorkQueueConformance, TaskMayQuiesce) {
  queue_->AddTask([this] {
    queue_->AddTask([this] { ran_.fetch_add(1); });
    queue_->Quiesce();
    EXPECT_EQ(ran_.load(), 1);
  });
  queue_->Quiesce();
}

// One may run on the stack of another: neither waits for the other.
TEST_P(WorkQueueConformance, SeveralTasksMayQuiesce) {
  for (int i = 0; i < 4; ++i) {
    queue_->AddTask([this] {
      queue_->AddTask([this] { ran_.fetch_add(1); });
      queue_->Quiesce();
      ran_.fetch_add(1);
    });
  }
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 8);
}

// The task that quiesces may run on the stack of the one that awaits, or elsewhere and wait for it: the
// awaited value comes from a thread outside either way.
TEST_P(WorkQueueConformance, TaskMayQuiesceWhileAnotherAwaits) {
  auto value = MakeUnconstructedAsyncValueRef<int>();
  std::atomic<bool> quiesces{false};
  std::thread other([&] {
    quiesces.wait(false);
    value.emplace(1);
  });
  queue_->AddTask([&] {
    queue_->AddTask([&] {
      quiesces.store(true);
      quiesces.notify_one();
      queue_->Quiesce();
      ran_.fetch_add(1);
    });
    AsyncValue* values[] = {value.GetAsyncValue()};
    queue_->Await(values);
    ran_.fetch_add(1);
  });
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 2);
  other.join();
}

TEST_P(WorkQueueConformance, TaskMayUseAndDestroyAnotherQueue) {
  queue_->AddTask([this] {
    auto other = CreateWorkQueue(GetParam());
    ASSERT_TRUE(other.ok());
    (*other)->AddTask([this] { ran_.fetch_add(1); });
    (*other)->Quiesce();
    ran_.fetch_add(1);
  });
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 2);
}

TEST_P(WorkQueueConformance, BlockingTasksRunAndQuiesceWaitsForThem) {
  for (int i = 0; i < 200; ++i) {
    auto rejected = queue_->AddBlockingTask([this] { ran_.fetch_add(1); }, /*allow_queuing=*/true);
    EXPECT_FALSE(rejected.has_value());
  }
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 200);
}

TEST_P(WorkQueueConformance, BlockingTaskMayQuiesce) {
  auto rejected = queue_->AddBlockingTask(
      [this] {
        queue_->AddTask([this] { ran_.fetch_add(1); });
        queue_->Quiesce();
        EXPECT_EQ(ran_.load(), 1);
      },
      /*allow_queuing=*/true);
  EXPECT_FALSE(rejected.has_value());
  queue_->Quiesce();
}

// Either the task starts whatever the others do, or it comes back whole.
TEST_P(WorkQueueConformance, UnqueuedBlockingTasksRunOrComeBack) {
  constexpr int kTasks = 8;
  std::vector<TaskFunction> returned;
  std::atomic<int> started{0};
  for (int i = 0; i < kTasks; ++i) {
    auto rejected = queue_->AddBlockingTask(
        [&started] {
          started.fetch_add(1);
          started.notify_all();
        },
        /*allow_queuing=*/false);
    if (rejected) returned.push_back(*std::move(rejected));
  }
  queue_->Quiesce();
  EXPECT_EQ(started.load() + static_cast<int>(returned.size()), kTasks);
  for (TaskFunction& task : returned) task();
  EXPECT_EQ(started.load(), kTasks);
}

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_WORK_QUEUE_CONFORMANCE_H_
