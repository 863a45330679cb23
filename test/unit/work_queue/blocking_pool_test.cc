// The promises of the pool for blocking tasks, through the queue that has one.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

// Each waits until all have started: more than the pool's threads, all without queuing.
TEST(BlockingPoolTest, UnqueuedBlockingTasksAllStart) {
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
TEST(BlockingPoolTest, QueuedBlockingTasksDoNotWaitForUnqueuedOnes) {
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

TEST(BlockingPoolTest, QueuedBlockingTasksNeverExceedThePool) {
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

TEST(BlockingPoolTest, BlockingTasksMayQuiesceAtTheSameTime) {
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
