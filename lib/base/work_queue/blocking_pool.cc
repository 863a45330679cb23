#include "blocking_pool.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>

namespace tfrt::internal {

thread_local constinit BlockingPool::Current BlockingPool::current;

BlockingPool::~BlockingPool() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  work_.notify_all();
  thread_ended_.wait(lock, [&] { return threads_ == 0; });
}

int BlockingPool::NumRunnable() const {
  // More than num_threads_ may run, after one has waited.
  int places = std::max(0, num_threads_ - running_queued_);
  return static_cast<int>(immediate_tasks_.size()) +
         std::min(static_cast<int>(queued_tasks_.size()), places);
}

std::optional<TaskFunction> BlockingPool::Add(TaskFunction task, bool allow_queuing) {
  std::lock_guard lock(mutex_);
  std::deque<TaskFunction>& tasks = allow_queuing ? queued_tasks_ : immediate_tasks_;
  if (allow_queuing && tasks.size() >= kMaxQueuedTasks) return task;
  tasks.push_back(std::move(task));
  // A task that may wait needs a new thread only if there is none but those that wait for others,
  // perhaps for this task: the queue would never move.
  if (NumRunnable() > idle_ && !StartThread() && (!allow_queuing || threads_ == waiting_)) {
    task = std::move(tasks.back());
    tasks.pop_back();
    return task;
  }
  work_.notify_one();
  return std::nullopt;
}

BlockingPool::Waiting::Waiting(BlockingPool* pool)
    : pool_(pool->IsInPool() && current.queued ? pool : nullptr) {
  if (!pool_) return;
  std::lock_guard lock(pool_->mutex_);
  --pool_->running_queued_;
  ++pool_->waiting_;
  if (pool_->NumRunnable() > pool_->idle_) (void)pool_->StartThread();
  pool_->work_.notify_one();
}

BlockingPool::Waiting::~Waiting() {
  if (!pool_) return;
  std::lock_guard lock(pool_->mutex_);
  --pool_->waiting_;
  ++pool_->running_queued_;
}

bool BlockingPool::StartThread() {
  // Not std::thread: it ends the program where the system has no thread left to give.
  if (threads_ >= num_threads_ + kMaxDynamicThreads) return false;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &ThreadMain, this) != 0) return false;
  pthread_detach(thread);
  ++threads_;
  ++idle_;  // it will look for a task before anything else
  return true;
}

void* BlockingPool::ThreadMain(void* pool) {
#if defined(__linux__)
  pthread_setname_np(pthread_self(), "tfrt_blocking");
#endif
  static_cast<BlockingPool*>(pool)->Run();
  return nullptr;
}

void BlockingPool::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait_for(lock, std::chrono::seconds(1), [&] { return NumRunnable() > 0 || stopping_; });
    if (NumRunnable() == 0) break;  // nothing to do for a second, or the end
    bool queued = immediate_tasks_.empty();
    std::deque<TaskFunction>& tasks = queued ? queued_tasks_ : immediate_tasks_;
    TaskFunction task = std::move(tasks.front());
    tasks.pop_front();
    --idle_;
    if (queued) ++running_queued_;
    lock.unlock();
    current = {this, queued};
    task.CallAndReset();
    current = {};
    lock.lock();
    ++idle_;
    if (queued) --running_queued_;
  }
  --idle_;
  --threads_;
  // Under the lock: the destructor frees the condition variable once it sees threads_ == 0.
  thread_ended_.notify_all();
}

}  // namespace tfrt::internal
