// What every ConcurrentWorkQueue promises, written once: instantiate with
//   INSTANTIATE_TEST_SUITE_P(MyQueue, WorkQueueConformance, testing::Values("mstd:2", ...));
// with texts that CreateWorkQueue understands. What it promises of tickets stands in
// work_queue_ticket_conformance.h and belongs to the same suite.
#ifndef TFRT_TEST_SUPPORT_WORK_QUEUE_CONFORMANCE_H_
#define TFRT_TEST_SUPPORT_WORK_QUEUE_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "test/support/work_queue_fixture.h"
#include "test/support/work_queue_ticket_conformance.h"

namespace tfrt {

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

TEST_P(WorkQueueConformance, ForkedTasksRunOnceWhoeverAddsThem) {
  constexpr int kTasks = 2500;
  std::vector<std::atomic<int>> count(2 * kTasks);
  auto fork = [&](int i) { queue_->AddForkedTask([&count, i] { count[i].fetch_add(1); }); };
  queue_->AddTask([&] {
    for (int i = 0; i < kTasks; ++i) fork(i);
  });
  for (int i = kTasks; i < 2 * kTasks; ++i) fork(i);
  queue_->Quiesce();
  for (const auto& c : count) EXPECT_EQ(c.load(), 1);
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

// The task behind it is in the queue already, perhaps in a batch that is being run.
TEST_P(WorkQueueConformance, TaskMayAwaitALaterTask) {
  for (int round = 0; round < 100; ++round) {
    std::vector<Value> values = MakeValues(2);
    queue_->AddTask([&] {
      Await(values[0]);
      ran_.fetch_add(1);
      values[1].emplace(1);
    });
    queue_->AddTask([&] { values[0].emplace(0); });
    queue_->AddTask([&] { ran_.fetch_add(1); });
    if (round % 2 == 0) {
      queue_->Quiesce();
    } else {
      Await(values[1]);
    }
    EXPECT_TRUE(values[1].IsAvailable());
    queue_->Quiesce();
    EXPECT_EQ(ran_.exchange(0), 2);
  }
}

// Each task awaits the next one, which runs on its stack or elsewhere.
TEST_P(WorkQueueConformance, AwaitsMayNest) {
  constexpr int kTasks = 200;
  for (int round = 0; round < 20; ++round) {
    std::vector<Value> values = MakeValues(kTasks + 1);
    for (int i = 0; i < kTasks; ++i) {
      queue_->AddTask([&, i] {
        Await(values[i + 1]);
        values[i].emplace(*values[i + 1] + 1);
      });
    }
    queue_->AddTask([&] { values[kTasks].emplace(0); });
    Await(values[0]);
    EXPECT_EQ(*values[0], kTasks);
    queue_->Quiesce();
  }
}

// A task that quiesces does not run the task behind it; one that it runs, and that awaits, does.
TEST_P(WorkQueueConformance, TaskMayAwaitInsideOfAQuiesce) {
  for (int round = 0; round < 100; ++round) {
    Value value = MakeUnconstructedAsyncValueRef<int>();
    queue_->AddTask([&] {
      queue_->AddTask([&] { Await(value); });
      queue_->Quiesce();
      EXPECT_TRUE(value.IsAvailable());
    });
    queue_->AddTask([&] { value.emplace(1); });
    queue_->Quiesce();
    EXPECT_TRUE(value.IsAvailable());
  }
}

// All workers await, and each value is set by a task that is only added then, from outside.
TEST_P(WorkQueueConformance, WorkersThatAwaitRunWhatIsAdded) {
  const int num_tasks = 2 * queue_->GetParallelismLevel();
  std::minstd_rand random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Value> values = MakeValues(num_tasks);
    std::atomic<bool> awaiting{false};
    const auto delay = static_cast<uint32_t>(random() % 5000);
    std::thread other([&] {
      awaiting.wait(false);
      Dawdle(delay);
      for (const Value& value : values) queue_->AddTask([&value] { value.emplace(1); });
    });
    for (int i = 0; i < num_tasks; ++i) {
      queue_->AddTask([&, i] {
        awaiting.store(true);
        awaiting.notify_all();
        Await(values[i]);
        ran_.fetch_add(1);
      });
    }
    queue_->Quiesce();
    other.join();
    queue_->Quiesce();  // the one above ran perhaps not all that were added: only those awaited
    EXPECT_EQ(ran_.exchange(0), num_tasks);
  }
}

// It is woken by the value itself, too, and neither spins nor looks around meanwhile.
TEST_P(WorkQueueConformance, AwaitInATaskSleeps) {
  if (!IsAsleepKnown()) GTEST_SKIP() << "the system does not tell who sleeps";
  Value value = MakeUnconstructedAsyncValueRef<int>();
  std::atomic<long> thread_id{0};
  std::thread other([&] {
    WaitUntilAsleep(thread_id);
    value.emplace(1);
  });
  queue_->AddTask([&] {
    StoreThreadId(&thread_id);
    Await(value);
    ran_.fetch_add(1);
  });
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 1);
  other.join();
}

// Tasks in the queue's deques, tasks from outside, values from outside, several at once.
TEST_P(WorkQueueConformance, AwaitsLoseNoWakeUp) {
  constexpr int kThreads = 3;
  constexpr int kRounds = 100;
  std::atomic<int> next_seed{1};
  auto add_round = [&](std::minstd_rand& random) {
    // The task awaits one that it adds, one that is added behind it, and a value of this thread.
    auto values = std::make_shared<std::vector<Value>>(MakeValues(3));
    queue_->AddTask([this, values] {
      queue_->AddTask([value = (*values)[0].CopyRef()] { value.emplace(0); });
      AsyncValue* awaited[] = {(*values)[0].GetAsyncValue(), (*values)[1].GetAsyncValue(),
                               (*values)[2].GetAsyncValue()};
      queue_->Await(awaited);
      ran_.fetch_add(1);
    });
    Dawdle(random() % 3000);
    queue_->AddTask([value = (*values)[1].CopyRef()] { value.emplace(1); });
    Dawdle(random() % 3000);
    (*values)[2].emplace(2);
  };
  std::vector<std::thread> threads;
  std::atomic<int> running{kThreads};
  Value all_added = MakeUnconstructedAsyncValueRef<int>();
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      std::minstd_rand random(next_seed.fetch_add(1));
      for (int round = 0; round < kRounds; ++round) add_round(random);
      if (running.fetch_sub(1) == 1) all_added.emplace(0);
    });
  }
  Await(all_added);
  for (std::thread& thread : threads) thread.join();
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), kThreads * kRounds);
}

// The thread that sets the value may still be on its way through the value's waiters.
TEST_P(WorkQueueConformance, QueueMayGoRightAfterAwait) {
  std::minstd_rand random(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<Value> values = MakeValues(2);
    const auto delay = static_cast<uint32_t>(random() % 5000);
    std::thread other([&] {
      Dawdle(delay);
      values[0].emplace(0);
      values[1].emplace(1);
    });
    queue_->AddTask(
        [queue = queue_.get(), value = values[0].GetAsyncValue()] { queue->Await({&value, 1}); });
    Await(values[1]);
    queue_.reset();
    other.join();
    SetUp();
  }
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

// The task that quiesces may run on the stack of the one that awaits, or elsewhere and wait for it:
// the awaited value comes from a thread outside either way.
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

// Waiters of a chain queue up where it is deep (AsyncValue::RunWaiters); one that waits must not
// wait for those.
TEST_P(WorkQueueConformance, AWaiterDeepInAChainMayAwait) {
  for (int length : {399, 400, 401, 1000}) {
    auto run = [&] {
      auto source = MakeUnconstructedAsyncValueRef<int>();
      auto awaited = source.Map([](int x) { return x + 1; });
      auto first = MakeUnconstructedAsyncValueRef<int>();
      auto last = first.CopyRef();
      for (int i = 1; i < length; ++i) last = last.Map([](int x) { return x + 1; });
      last.AndThen([&] {
        queue_->AddTask([&] { source.emplace(1); });
        AsyncValue* values[] = {awaited.GetAsyncValue()};
        queue_->Await(values);
        EXPECT_EQ(awaited.get(), 2);
        ran_.fetch_add(1);
      });
      first.emplace(0);
    };
    RunInTheQueue(run);
  }
  EXPECT_EQ(ran_.load(), 4);
}

// What has queued up already when the wait begins.
TEST_P(WorkQueueConformance, AWaiterDeepInAChainMayAwaitOneThatQueuesUp) {
  auto run = [&] {
    auto first = MakeUnconstructedAsyncValueRef<int>();
    auto last = first.CopyRef();
    for (int i = 1; i < 400; ++i) last = last.Map([](int x) { return x + 1; });
    auto source = MakeUnconstructedAsyncValueRef<int>();
    auto awaited = source.Map([](int x) { return x + 1; });
    last.AndThen([&] {
      source.emplace(1);  // the waiter that makes `awaited` queues up here
      AsyncValue* values[] = {awaited.GetAsyncValue()};
      queue_->Await(values);
      EXPECT_EQ(awaited.get(), 2);
      TaskTicket ticket = queue_->MakeTicket();
      auto other = MakeUnconstructedAsyncValueRef<int>();
      other.AndThen([ticket = std::move(ticket)]() mutable { ticket.Drop(); });
      other.emplace(1);
      queue_->Quiesce();
      ran_.fetch_add(1);
    });
    first.emplace(0);
  };
  RunInTheQueue(run);
  EXPECT_EQ(ran_.load(), 1);
}

// Chains of tasks, one for each worker, that end when a task from outside has run.
TEST_P(WorkQueueConformance, TasksFromOutsideRunBesideEndlessChains) {
  std::atomic<bool> has_ticket_run{false}, has_added_run{false};
  std::atomic<int> begun{0};
  struct Chain {
    void Run() const {
      if (!end()) queue->AddTask([self = *this] { self.Run(); });
    }
    ConcurrentWorkQueue* queue;
    std::function<bool()> end;
  };
  TaskTicket ticket = queue_->MakeTicket();
  const Chain chain{queue_.get(), [&] { return has_ticket_run.load() && has_added_run.load(); }};
  const int num_chains = queue_->GetParallelismLevel();
  for (int i = 0; i < num_chains; ++i) {
    queue_->AddTask([&] {
      begun.fetch_add(1);
      chain.Run();
    });
  }
  std::thread outside([&] {
    while (begun.load() < num_chains) std::this_thread::yield();
    ticket.AddTask([&] { has_ticket_run.store(true); });
    queue_->AddTask([&] { has_added_run.store(true); });
  });
  queue_->Quiesce();
  outside.join();
}

TEST_P(WorkQueueConformance, AWorkersOldTasksRunBesideItsEndlessChain) {
  std::atomic<bool> has_old_run{false};
  std::function<void()> go_on = [&] {
    if (!has_old_run.load()) queue_->AddTask([&] { go_on(); });
  };
  // On all workers, so that no other one helps.
  for (int i = 0; i < queue_->GetParallelismLevel(); ++i) queue_->AddTask([&] { go_on(); });
  queue_->AddTask([&] {
    queue_->AddTask([&] { has_old_run.store(true); });
    go_on();
  });
  queue_->Quiesce();
  EXPECT_TRUE(has_old_run.load());
}

TEST_P(WorkQueueConformance, QuiesceWaitsForATaskThatAnotherThreadRuns) {
  std::atomic<bool> has_begun{false}, may_end{false}, has_ended{false}, has_returned{false};
  queue_->AddTask([&] {
    has_begun.store(true);
    while (!may_end.load()) std::this_thread::yield();
    queue_->AddTask([&] { has_ended.store(true); });
  });
  std::thread runs([&] { queue_->Quiesce(); });
  while (!has_begun.load()) std::this_thread::yield();
  std::thread waits([&] {
    queue_->Quiesce();
    EXPECT_TRUE(has_ended.load());
    has_returned.store(true);
  });
  // Time to return too early.
  for (int i = 0; i < 20 && !has_returned.load(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  may_end.store(true);
  runs.join();
  waits.join();
}

// Threads that take tasks from one another while they quiesce: none returns before all have run.
TEST_P(WorkQueueConformance, ThreadsThatQuiesceAtTheSameTimeSeeAllTasksDone) {
  for (int round = 0; round < 300; ++round) {
    ran_.store(0);
    AddTree(5);
    constexpr int kTasks = (1 << 6) - 1;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&] {
        queue_->Quiesce();
        EXPECT_EQ(ran_.load(), kTasks);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
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

// As many as may run at once await one that is queued behind them.
TEST_P(WorkQueueConformance, BlockingTasksMayAwaitALaterOne) {
  for (int round = 0; round < 20; ++round) {
    Value value = MakeUnconstructedAsyncValueRef<int>();
    for (int i = 0; i < 8; ++i) {
      AddBlockingTask([&] {
        Await(value);
        ran_.fetch_add(1);
      });
    }
    AddBlockingTask([&] { queue_->AddTask([&] { value.emplace(1); }); });
    queue_->Quiesce();
    EXPECT_EQ(ran_.exchange(0), 8);
  }
}

TEST_P(WorkQueueConformance, BlockingTasksMayQuiesceBeforeALaterOne) {
  for (int i = 0; i < 8; ++i) {
    AddBlockingTask([this] {
      queue_->Quiesce();
      ran_.fetch_add(1);
    });
  }
  AddBlockingTask([this] { ran_.fetch_add(1); });
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 9);
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
