// What the tests of all queues share: a queue made of a text, and ways to let threads meet.
#ifndef TFRT_TEST_SUPPORT_WORK_QUEUE_FIXTURE_H_
#define TFRT_TEST_SUPPORT_WORK_QUEUE_FIXTURE_H_

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

// Passes a little time, so that threads meet at ever other points. Without the system's help, which
// takes long on a busy machine.
inline void Dawdle(uint32_t num_steps) {
  static std::atomic<uint32_t> steps{0};
  while (num_steps-- > 0) steps.fetch_add(1, std::memory_order_relaxed);
}

class WorkQueueConformance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto queue = CreateWorkQueue(GetParam());
    ASSERT_TRUE(queue.ok());
    queue_ = *std::move(queue);
  }
  // Runs it where tasks run, and all that it adds.
  template <typename F>
  void RunInTheQueue(F& run) {
    if (queue_->IsSingleThreaded()) {
      run();
    } else {
      queue_->AddTask(run);
    }
    queue_->Quiesce();
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

  using Value = AsyncValueRef<int>;
  static std::vector<Value> MakeValues(int count) {
    std::vector<Value> values;
    for (int i = 0; i < count; ++i) values.push_back(MakeUnconstructedAsyncValueRef<int>());
    return values;
  }
  void Await(const Value& value) {
    AsyncValue* awaited = value.GetAsyncValue();
    queue_->Await({&awaited, 1});
  }
  void AddBlockingTask(TaskFunction task) {
    EXPECT_FALSE(queue_->AddBlockingTask(std::move(task), /*allow_queuing=*/true).has_value());
  }

  std::atomic<int> ran_{0};
  std::unique_ptr<ConcurrentWorkQueue> queue_;  // destroyed first: its tasks use `ran_`
};

// Whether the system tells who sleeps.
inline bool IsAsleepKnown() { return std::ifstream("/proc/self/stat").good(); }
// Whether the thread sleeps, if that is known.
inline bool IsAsleep(long thread_id) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread_id) + "/stat");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  size_t name_end = text.rfind(')');  // followed by a blank and the state
  return name_end != std::string::npos && text.substr(name_end + 2, 1) == "S";
}

// Returns when the thread whose id is stored sleeps, or at once if that is not known.
inline void WaitUntilAsleep(const std::atomic<long>& thread_id) {
  thread_id.wait(0);
  if (!IsAsleepKnown()) return;
  for (int looks = 0; looks < 100; ++looks) {
    if (!IsAsleep(thread_id.load())) looks = 0;
    std::this_thread::yield();
  }
}
// Stores the calling thread's id for WaitUntilAsleep.
inline void StoreThreadId(std::atomic<long>* thread_id) {
  thread_id->store(syscall(SYS_gettid));
  thread_id->notify_all();
}

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_WORK_QUEUE_FIXTURE_H_
