#include "blocking_pool.h"

#include <pthread.h>

#include <chrono>

namespace tfrt::internal {

BlockingPool::~BlockingPool() {
  std::unique_lock lock(mutex_);
  stopping_ = true;
  work_.notify_all();
  thread_ended_.wait(lock, [&] { return threads_ == 0; });
}

std::optional<TaskFunction> BlockingPool::Add(TaskFunction task, bool allow_queuing) {
  std::lock_guard lock(mutex_);
  bool has_idle = idle_ > static_cast<int>(tasks_.size());
  if (allow_queuing) {
    if (tasks_.size() >= kMaxQueuedTasks) return task;
    // Without any thread the queue would never move.
    if (!has_idle && threads_ < num_threads_ && !StartThread() && threads_ == 0) return task;
    tasks_.push_back(std::move(task));
  } else {
    if (!has_idle && (threads_ >= num_threads_ + kMaxDynamicThreads || !StartThread())) return task;
    // In front: the thread that is idle, or has just been started, takes this task and not one
    // that may wait.
    tasks_.push_front(std::move(task));
  }
  work_.notify_one();
  return std::nullopt;
}

bool BlockingPool::StartThread() {
  // Not std::thread: it ends the program where the system has no thread left to give.
  pthread_t thread;
  if (pthread_create(&thread, nullptr, &ThreadMain, this) != 0) return false;
  pthread_detach(thread);
  ++threads_;
  ++idle_;  // it will look for a task before anything else
  return true;
}

void* BlockingPool::ThreadMain(void* pool) {
  static_cast<BlockingPool*>(pool)->Run();
  return nullptr;
}

void BlockingPool::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    bool has_work = work_.wait_for(lock, std::chrono::seconds(1),
                                   [&] { return !tasks_.empty() || stopping_; });
    if (!has_work || tasks_.empty()) break;  // nothing to do for a second, or the end
    TaskFunction task = std::move(tasks_.front());
    tasks_.pop_front();
    --idle_;
    lock.unlock();
    task();
    task.reset();
    lock.lock();
    ++idle_;
  }
  --idle_;
  --threads_;
  // Under the lock: the destructor frees the condition variable once it sees threads_ == 0.
  thread_ended_.notify_all();
}

}  // namespace tfrt::internal
