// BlockingPool: threads for tasks that block.
#ifndef TFRT_LIB_BASE_WORK_QUEUE_BLOCKING_POOL_H_
#define TFRT_LIB_BASE_WORK_QUEUE_BLOCKING_POOL_H_

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

#include "tfrt/support/task_function.h"

namespace tfrt::internal {

// Threads are made when a task finds none idle and retire after a second without work. At most
// `num_threads` of the tasks that may wait run at once, in order of arrival. A task that may not
// wait gets a thread at once, an idle one or a new one. It never takes a thread of the waiting
// tasks.
//
// A running task that waits for others (Waiting) is not counted: what it waits for may be queued
// behind it. It goes on without waiting for its turn, so for a while one more may run.
class BlockingPool {
 public:
  explicit BlockingPool(int num_threads) : num_threads_(num_threads) {}
  BlockingPool(const BlockingPool&) = delete;
  BlockingPool& operator=(const BlockingPool&) = delete;
  // All tasks must be done. Waits for the threads.
  ~BlockingPool();

  // Hands the task back if the queue is full, or if no thread is available for a task that may not
  // wait. The `task` must not throw and must do its own accounting.
  [[nodiscard]] std::optional<TaskFunction> Add(TaskFunction task, bool allow_queuing);

  // Whether the calling thread runs one of the pool's tasks.
  bool IsInPool() const { return current.pool == this; }

  // Lives while the calling thread waits for tasks. Does nothing on threads outside the pool.
  class Waiting {
   public:
    explicit Waiting(BlockingPool* pool);
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    ~Waiting();

   private:
    BlockingPool* const pool_;  // null if the thread's task is not among those counted
  };

 private:
  static constexpr size_t kMaxQueuedTasks = 16384;
  static constexpr int kMaxDynamicThreads = 4096;

  // The task that a thread runs.
  struct Current {
    const BlockingPool* pool = nullptr;
    bool queued = false;  // a task that may wait
  };
  static thread_local constinit Current current;

  static void* ThreadMain(void* pool);
  void Run();
  bool StartThread();
  // Tasks that could run now if there were threads enough.
  int NumRunnable() const;

  const int num_threads_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable thread_ended_;
  std::deque<TaskFunction> immediate_tasks_;  // may not wait
  std::deque<TaskFunction> queued_tasks_;
  int running_queued_ = 0;  // without those that wait for others
  int waiting_ = 0;         // those
  int threads_ = 0;
  int idle_ = 0;  // threads that look for a task; NumRunnable() of them are already spoken for
  bool stopping_ = false;
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_BASE_WORK_QUEUE_BLOCKING_POOL_H_
