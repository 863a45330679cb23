// What every ConcurrentWorkQueue promises of its tickets: part of work_queue_conformance.h.
#ifndef TFRT_TEST_SUPPORT_WORK_QUEUE_TICKET_CONFORMANCE_H_
#define TFRT_TEST_SUPPORT_WORK_QUEUE_TICKET_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "test/support/work_queue_fixture.h"

namespace tfrt {

// Outside work: threads that call what they are given, in order of arrival, until they are told to
// end and nothing is left.
class OutsideThreads {
 public:
  explicit OutsideThreads(int num_threads = 1) {
    for (int i = 0; i < num_threads; ++i) threads_.emplace_back([this] { Run(); });
  }
  OutsideThreads(const OutsideThreads&) = delete;
  ~OutsideThreads() {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void Call(TaskFunction function) {
    {
      std::lock_guard lock(mutex_);
      calls_.push_back(std::move(function));
    }
    changed_.notify_one();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [&] { return stopping_ || !calls_.empty(); });
      if (calls_.empty()) return;
      TaskFunction call = std::move(calls_.front());
      calls_.pop_front();
      lock.unlock();
      call.CallAndReset();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TaskFunction> calls_;  // guarded by mutex_, like the flag
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

TEST_P(WorkQueueConformance, ATicketIsMovedAndUsedUp) {
  EXPECT_FALSE(TaskTicket());
  TaskTicket first = queue_->MakeTicket(), second = queue_->MakeTicket();
  EXPECT_TRUE(first && second);
  TaskTicket moved = std::move(first);
  EXPECT_TRUE(moved && !first);   // NOLINT: what is left of it
  moved = std::move(second);      // the first one ends
  EXPECT_TRUE(moved && !second);  // NOLINT
  moved.AddTask([this] { ran_.fetch_add(1); });
  EXPECT_FALSE(moved);
  moved.Drop();
  {
    TaskTicket dropped = queue_->MakeTicket();
  }
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), 1);
}

// It neither returns nor spins.
TEST_P(WorkQueueConformance, QuiesceSleepsUntilATicketsTaskHasRun) {
  if (!IsAsleepKnown()) GTEST_SKIP() << "the system does not tell who sleeps";
  for (bool has_task : {true, false}) {
    std::atomic<long> thread_id{0};
    std::atomic<bool> ended{false};
    std::thread other([&, ticket = queue_->MakeTicket()]() mutable {
      WaitUntilAsleep(thread_id);
      ended = true;
      if (has_task) ticket.AddTask([this] { ran_.fetch_add(1); });
    });
    StoreThreadId(&thread_id);
    queue_->Quiesce();
    // The lambda's ticket is dropped when the thread ends.
    EXPECT_TRUE(ended.load());
    EXPECT_EQ(ran_.exchange(0), has_task ? 1 : 0);
    other.join();
  }
}

// The ticket is handed in while workers run, look for tasks, or are about to park.
TEST_P(WorkQueueConformance, TicketsLoseNoWakeUp) {
  OutsideThreads device;
  std::minstd_rand random(1);
  for (int round = 0; round < 500; ++round) {
    Value value = MakeUnconstructedAsyncValueRef<int>();
    device.Call([ticket = queue_->MakeTicket(), value = value.CopyRef(),
                 delay = static_cast<uint32_t>(random() % 3000)]() mutable {
      Dawdle(delay);
      ticket.AddTask([value = std::move(value)] { value.emplace(1); });
    });
    Dawdle(random() % 3000);
    if (round % 2 == 0) {
      Await(value);
    } else {
      queue_->Quiesce();
    }
    ASSERT_TRUE(value.IsAvailable());
  }
}

TEST_P(WorkQueueConformance, AwaitDoesNotWaitForTickets) {
  TaskTicket ticket = queue_->MakeTicket();
  Value value = MakeUnconstructedAsyncValueRef<int>();
  queue_->AddTask([&] { value.emplace(1); });
  Await(value);
  ticket.Drop();
  queue_->Quiesce();
}

// Each step of the work is a task that gives the next one to the device.
TEST_P(WorkQueueConformance, QuiesceWaitsForTicketsThatTasksMake) {
  constexpr int kSteps = 300;
  OutsideThreads device;
  struct Step {
    ConcurrentWorkQueue* queue;
    OutsideThreads* device;
    std::atomic<int>* ran;
    void operator()() const {
      if (ran->fetch_add(1) + 1 == kSteps) return;
      device->Call(
          [ticket = queue->MakeTicket(), step = *this]() mutable { ticket.AddTask(step); });
    }
  };
  queue_->AddTask(Step{queue_.get(), &device, &ran_});
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), kSteps);
}

// Nothing else keeps the queue: as soon as the ticket is gone, so is the queue, and the thread that
// ended it is still on its way out of the call.
TEST_P(WorkQueueConformance, DestructionWaitsForTickets) {
  OutsideThreads device;
  std::minstd_rand random(1);
  for (int round = 0; round < 300; ++round) {
    device.Call([this, ticket = queue_->MakeTicket(),
                 delay = static_cast<uint32_t>(random() % 3000), round]() mutable {
      Dawdle(delay);
      if (round % 3 != 0) ticket.AddTask([this] { ran_.fetch_add(1); });
    });
    if (round % 2 == 0) Dawdle(random() % 3000);
    queue_->AddTask([] {});  // threads of the queue may be looking for tasks
    queue_.reset();
    EXPECT_EQ(ran_.exchange(0), round % 3 != 0 ? 1 : 0);
    SetUp();
  }
}

// Two tickets that end at the same time, one with the queue's last task.
TEST_P(WorkQueueConformance, DestructionWaitsForTicketsOfSeveralThreads) {
  OutsideThreads devices(2);
  std::minstd_rand random(2);
  for (int round = 0; round < 300; ++round) {
    for (int i = 0; i < 2; ++i) {
      devices.Call([this, ticket = queue_->MakeTicket(), i,
                    delay = static_cast<uint32_t>(random() % 1000)]() mutable {
        Dawdle(delay);
        if (i == 0) ticket.AddTask([this] { ran_.fetch_add(1); });
      });
    }
    queue_.reset();
    EXPECT_EQ(ran_.exchange(0), 1);
    SetUp();
  }
}

// A task that quiesces waits for what it has given to a device itself.
TEST_P(WorkQueueConformance, TaskMayQuiesceWhileATicketLives) {
  OutsideThreads device;
  for (int round = 0; round < 100; ++round) {
    bool done = false;
    queue_->AddTask([&] {
      device.Call([this, ticket = queue_->MakeTicket()]() mutable {
        ticket.AddTask([this] { ran_.fetch_add(1); });
      });
      queue_->Quiesce();
      done = ran_.load() == 1;
    });
    queue_->Quiesce();
    EXPECT_TRUE(done);
    EXPECT_EQ(ran_.exchange(0), 1);
  }
}

// The ticket ends with the help of a task that the one that quiesces does not wait for under the
// single-threaded queue.
TEST_P(WorkQueueConformance, TaskMayQuiesceBeforeATaskThatItsTicketNeeds) {
  OutsideThreads device;
  for (int round = 0; round < 100; ++round) {
    Value value = MakeUnconstructedAsyncValueRef<int>();
    bool done = false;
    queue_->AddTask([&] {
      value.AndThen([this, &device, ticket = queue_->MakeTicket()]() mutable {
        device.Call([this, ticket = std::move(ticket)]() mutable {
          ticket.AddTask([this] { ran_.fetch_add(1); });
        });
      });
      queue_->Quiesce();
      done = ran_.load() == 1;
    });
    queue_->AddTask([&] { value.emplace(1); });
    queue_->Quiesce();
    EXPECT_TRUE(done);
    EXPECT_EQ(ran_.exchange(0), 1);
  }
}

// All of a multi-threaded queue's workers wait, and blocking tasks with them.
TEST_P(WorkQueueConformance, SeveralTasksMayQuiesceWhileTicketsLive) {
  OutsideThreads device;
  const int num_tasks = queue_->GetParallelismLevel() + 1;
  for (int round = 0; round < 20; ++round) {
    TaskFunction task = [this] {
      queue_->Quiesce();
      ran_.fetch_add(1);
    };
    for (int i = 0; i < num_tasks; ++i) {
      queue_->AddTask([this] {
        queue_->Quiesce();
        ran_.fetch_add(1);
      });
    }
    AddBlockingTask(std::move(task));
    device.Call([this, ticket = queue_->MakeTicket()]() mutable {
      Dawdle(3000);
      ticket.AddTask([this] { ran_.fetch_add(1); });
    });
    queue_->Quiesce();
    EXPECT_EQ(ran_.exchange(0), num_tasks + 2);
  }
}

// However many there are: the thread may be one that must not run tasks, and the task may quiesce.
TEST_P(WorkQueueConformance, ATicketsTaskNeverRunsInsideOfTheCall) {
  constexpr int kTasks = 1100;  // more than a deque holds
  static thread_local bool is_adding;
  auto add_all = [this] {
    for (int i = 0; i < kTasks; ++i) {
      TaskTicket ticket = queue_->MakeTicket();
      is_adding = true;
      ticket.AddTask([this, i] {
        EXPECT_FALSE(is_adding);
        if (i % 500 == 0) queue_->Quiesce();
        ran_.fetch_add(1);
      });
      is_adding = false;
    }
  };
  add_all();
  queue_->Quiesce();
  EXPECT_EQ(ran_.exchange(0), kTasks);
  queue_->AddTask(add_all);
  queue_->Quiesce();
  EXPECT_EQ(ran_.exchange(0), kTasks);
  AddBlockingTask(add_all);
  queue_->Quiesce();
  EXPECT_EQ(ran_.load(), kTasks);
}

// The thread's other objects, also those of the runtime, may be gone by then.
TEST_P(WorkQueueConformance, AThreadThatEndsMayEndItsTickets) {
  struct AtExit {
    TaskTicket with_task, without;
    std::atomic<int>* ran;
    ~AtExit() {
      if (with_task) with_task.AddTask([ran = ran] { ran->fetch_add(1); });
    }
  };
  for (int round = 0; round < 50; ++round) {
    std::thread other([&] {
      // Made first, so destroyed last: after what the queue uses on this thread.
      static thread_local AtExit at_exit;
      at_exit.with_task = queue_->MakeTicket();
      at_exit.without = queue_->MakeTicket();
      at_exit.ran = &ran_;
      queue_->MakeTicket().AddTask([this] { ran_.fetch_add(1); });
    });
    queue_->Quiesce();  // perhaps before the thread has begun
    other.join();
    queue_->Quiesce();
    EXPECT_EQ(ran_.exchange(0), 2);
  }
}

// Many threads end tickets, with tasks and without, or pass them on and make new ones, while this
// one quiesces: what it gave away before has run when that returns.
TEST_P(WorkQueueConformance, ManyThreadsMayEndTicketsWhileAnotherQuiesces) {
  constexpr int kThreads = 4;
  constexpr int kRounds = 200;
  constexpr int kTicketsOfARound = 8;
  std::atomic<int> expected{0};
  std::atomic<uint32_t> next_seed{1};
  OutsideThreads devices(kThreads);
  // Ends the ticket, perhaps after a detour through other threads and tasks.
  struct Work {
    TaskTicket ticket;
    ConcurrentWorkQueue* queue;
    OutsideThreads* devices;
    std::atomic<int>*expected, *ran;
    uint32_t seed;

    Work Next(TaskTicket next_ticket) const {
      return {std::move(next_ticket), queue, devices, expected, ran, seed + 1};
    }
    void operator()() {
      std::minstd_rand random(seed);
      random.discard(3);
      Dawdle(random() % 1000);
      switch (random() % 4) {
        case 0:
          return ticket.Drop();
        case 1:
          return devices->Call(Next(std::move(ticket)));
        case 2: {
          TaskTicket another = queue->MakeTicket();
          ticket.Drop();
          return devices->Call(Next(std::move(another)));
        }
        default: {
          expected->fetch_add(1);
          const bool goes_on = random() % 2 == 0;
          ticket.AddTask([work = Next(TaskTicket()), goes_on]() mutable {
            if (goes_on) {
              work.ticket = work.queue->MakeTicket();
              OutsideThreads* devices = work.devices;
              std::atomic<int>* ran = work.ran;
              devices->Call(std::move(work));
              ran->fetch_add(1);
            } else {
              work.ran->fetch_add(1);
            }
          });
        }
      }
    }
  };
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kTicketsOfARound; ++i) {
      devices.Call(Work{queue_->MakeTicket(), queue_.get(), &devices, &expected, &ran_,
                        next_seed.fetch_add(1) * 7919});
    }
    if (round % 4 == 0) {
      queue_->AddTask([this] { queue_->Quiesce(); });
    }
    queue_->Quiesce();
    ASSERT_EQ(ran_.load(), expected.load()) << "round " << round;
  }
  EXPECT_GT(ran_.load(), kRounds);
}

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_WORK_QUEUE_TICKET_CONFORMANCE_H_
