// The multi-threaded queue: where tasks run, and who looks for them.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "test/support/work_queue_fixture.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

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

// Adds short tasks to the calling worker until another one has run some of them, which it knows
// then to be short.
void HaveShortTasksStolen(ConcurrentWorkQueue* queue) {
  const std::thread::id self = std::this_thread::get_id();
  std::atomic<int> stolen{0}, left{0};
  while (stolen < 3) {
    for (int i = 0; i < 10; ++i) {
      ++left;
      queue->AddTask([&] {
        if (std::this_thread::get_id() != self) ++stolen;
        --left;
      });
    }
    std::this_thread::yield();
  }
  while (left > 0) {
    auto done = MakeUnconstructedAsyncValueRef<Chain>();
    queue->AddTask([done = done.CopyRef()] { done.AsPtr().emplace(); });
    AsyncValue* value = done.GetAsyncValue();
    queue->Await({&value, 1});
  }
}

// A thief that has found short tasks still helps a worker that stays with one task.
TEST(MultiThreadedWorkQueueTest, TasksAreStolenAfterShortOnesFromAWorkerThatIsStuck) {
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  std::atomic<int> inside{0};
  queue->AddTask([&] {
    HaveShortTasksStolen(queue.get());
    for (int i = 0; i < 2; ++i) {
      queue->AddTask([&] {
        inside.fetch_add(1);
        while (inside.load() < 2) std::this_thread::yield();
      });
    }
  });
  queue->Quiesce();
  EXPECT_EQ(inside.load(), 2);
}

// And one that goes on adding tasks, so that it is never seen with the same number of them.
TEST(MultiThreadedWorkQueueTest, TasksAreStolenAfterShortOnesFromAWorkerThatGoesOnAddingSome) {
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  std::atomic<bool> stolen{false};
  queue->AddTask([&] {
    HaveShortTasksStolen(queue.get());
    const std::thread::id self = std::this_thread::get_id();
    while (!stolen) {
      queue->AddTask([&, self] {
        if (std::this_thread::get_id() != self) stolen = true;
      });
    }
  });
  queue->Quiesce();
  EXPECT_TRUE(stolen);
}

// Also where another task, forked or not, lies above it in the deque. That it is taken at once is
// shown by the benchmark threads/fork_join_10us.
TEST(MultiThreadedWorkQueueTest, AForkedTaskRunsWhileItsWorkerIsBusy) {
  auto queue = CreateMultiThreadedWorkQueue(2, 1);
  constexpr int kRounds = 1000;
  std::function<void(int)> round = [&](int i) {
    if (i == kRounds) return;
    const auto self = std::this_thread::get_id();
    std::atomic<bool> ran{false};
    queue->AddForkedTask([&] {
      EXPECT_NE(std::this_thread::get_id(), self);
      ran = true;
    });
    while (!ran) std::this_thread::yield();
    if (i % 2 == 0) queue->AddForkedTask([] {});
    queue->AddTask([&round, i] { round(i + 1); });
  };
  queue->AddTask([&] { round(0); });
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

// A limit of the user, which does not hold for root.
TEST(MultiThreadedWorkQueueDeathTest, GoesOnWhereTheSystemHasNoThreadLeft) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        auto queue = CreateMultiThreadedWorkQueue(4, 4);
        std::atomic<int> ran{0};
        queue->AddTask([&] { ran.fetch_add(1); });
        queue->Quiesce();  // one worker has been started
        constexpr uid_t kNobody = 65534;
        if (getuid() == 0 && setuid(kNobody) != 0) _exit(1);
        rlimit one;
        one.rlim_cur = one.rlim_max = 1;
        if (setrlimit(RLIMIT_NPROC, &one) != 0) _exit(2);
        for (int i = 0; i < 1000; ++i) {
          queue->AddTask([&] {
            ran.fetch_add(1);
            queue->AddTask([&] { ran.fetch_add(1); });
          });
        }
        queue->Quiesce();
        _exit(ran.load() == 2001 ? 0 : 3);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace tfrt
