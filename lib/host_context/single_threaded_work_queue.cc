#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "tfrt/host_context/concurrent_work_queue.h"

namespace tfrt {
namespace {

bool AllAvailable(std::span<AsyncValue* const> values) {
  return std::all_of(values.begin(), values.end(),
                     [](AsyncValue* value) { return value->IsAvailable(); });
}

// A FIFO of tasks that run on whichever thread calls Await or Quiesce. Other threads (timers, a
// user's own) may add tasks and resolve values, hence the lock; it is never held while a task runs.
class SingleThreadedWorkQueue : public ConcurrentWorkQueue {
 public:
  ~SingleThreadedWorkQueue() override { Quiesce(); }

  std::string name() const override { return "single-threaded"; }

  void AddTask(TaskFunction task) override {
    {
      std::lock_guard lock(shared_->mutex);
      tasks_.push_back(std::move(task));
    }
    shared_->changed.notify_all();
  }

  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool allow_queuing) override {
    // With one thread nothing can be promised about when a task starts.
    if (!allow_queuing) return task;
    AddTask(std::move(task));
    return std::nullopt;
  }

  // Takes the whole queue as one batch before it runs any of it, so a nested Quiesce sees only tasks
  // that were added since.
  void Await(std::span<AsyncValue* const> values) override {
    while (!AllAvailable(values)) {
      std::deque<TaskFunction> batch = TakeBatch();
      if (batch.empty()) {
        WaitForChange(values);
        continue;
      }
      while (!batch.empty() && !AllAvailable(values)) RunFirst(batch);
      PutBack(std::move(batch));
    }
  }

  void Quiesce() override {
    while (true) {
      std::deque<TaskFunction> batch = TakeBatch();
      if (batch.empty()) return;
      while (!batch.empty()) RunFirst(batch);
    }
  }

  int GetParallelismLevel() const override { return 1; }
  bool IsInWorkerThread() const override { return false; }
  bool IsSingleThreaded() const override { return true; }

 private:
  static void RunFirst(std::deque<TaskFunction>& batch) {
    TaskFunction task = std::move(batch.front());
    batch.pop_front();
    task();
  }
  std::deque<TaskFunction> TakeBatch() {
    std::lock_guard lock(shared_->mutex);
    return std::exchange(tasks_, {});
  }
  void PutBack(std::deque<TaskFunction> batch) {
    std::lock_guard lock(shared_->mutex);
    while (!batch.empty()) {
      tasks_.push_front(std::move(batch.back()));
      batch.pop_back();
    }
  }
  // Only another thread can help now: sleeps until it adds a task or resolves the values.
  void WaitForChange(std::span<AsyncValue* const> values) {
    auto signal = std::make_shared<bool>(false);
    RunWhenReady(values, [shared = shared_, signal] {
      {
        std::lock_guard lock(shared->mutex);
        *signal = true;
      }
      shared->changed.notify_all();
    });
    std::unique_lock lock(shared_->mutex);
    shared_->changed.wait(lock, [&] { return *signal || !tasks_.empty(); });
  }

  // Shared with the waiters of Await: the thread that resolves a value may still be signalling when
  // the caller has already seen the value and destroyed the queue.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
  };
  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::deque<TaskFunction> tasks_;  // guarded by shared_->mutex
};

}  // namespace

std::unique_ptr<ConcurrentWorkQueue> CreateSingleThreadedWorkQueue() {
  return std::make_unique<SingleThreadedWorkQueue>();
}

}  // namespace tfrt
