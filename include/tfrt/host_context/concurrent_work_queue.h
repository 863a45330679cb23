// ConcurrentWorkQueue: where tasks run. One interface, queues pluggable by name.
#ifndef TFRT_HOST_CONTEXT_CONCURRENT_WORK_QUEUE_H_
#define TFRT_HOST_CONTEXT_CONCURRENT_WORK_QUEUE_H_

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/async/async_value.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"

namespace tfrt {

// Thread-safe. Destruction waits for all work; no other call may be in progress when it begins, but
// for those of tasks.
class ConcurrentWorkQueue {
 public:
  virtual ~ConcurrentWorkQueue() = default;

  // For people: "single-threaded", "Multi-threaded C++ work queue (4 threads, 256 blocking
  // threads)".
  virtual std::string name() const = 0;

  // Appends a task that does not block. It may run at once on the calling thread if the queue is
  // full.
  virtual void AddTask(TaskFunction task) = 0;

  // Appends a task that may block its thread. With `allow_queuing` it may wait behind other
  // blocking tasks; without, it starts in finite time whatever the others do. Hands the task back
  // if that cannot be promised.
  [[nodiscard]] virtual std::optional<TaskFunction> AddBlockingTask(TaskFunction task,
                                                                    bool allow_queuing) = 0;

  // Returns when all values are available, and sleeps until then. May be called by tasks. On a
  // worker thread, and under the single-threaded queue, it runs tasks whenever there are some, in
  // the latter queue the oldest first; a blocking task leaves its place to another one meanwhile.
  // So a value may come from any task that has not begun. A task that runs on top of one that
  // awaits must not wait for what that one does afterwards. Tasks that await one another nest on
  // the thread's stack: thousands deep they exhaust it.
  virtual void Await(std::span<AsyncValue* const> values) = 0;

  // Returns when no task is left, including those that tasks add. May be called by tasks: then
  // neither tasks that do so nor those below them on a thread's stack are waited for, and the
  // single-threaded queue runs only what was added since it began with the tasks among which the
  // caller is.
  virtual void Quiesce() = 0;

  // Number of non-blocking tasks that may run at once.
  virtual int GetParallelismLevel() const = 0;
  virtual bool IsInWorkerThread() const = 0;
  // True if all tasks run on the thread that calls Await or Quiesce, in the order in which they
  // were added.
  virtual bool IsSingleThreaded() const { return false; }
  // Of a queue with IsSingleThreaded, asked by a task: false if no other task waits, so that what
  // this task adds is what runs next. A queue that cannot tell says true.
  virtual bool MayHaveTasks() const { return true; }
};

// Makes a queue from the text behind the colon of its name (empty if there is none).
using WorkQueueFactory =
    std::function<StatusOr<std::unique_ptr<ConcurrentWorkQueue>>(std::string_view argument)>;

// Adds a queue type. AlreadyExists if the name is taken. Thread-safe.
Status RegisterWorkQueueFactory(std::string_view name, WorkQueueFactory factory);

// Makes the queue that `config` names: `s`, `mstd`, `mstd:N`, `mstd:N,M` (N threads for tasks, M
// for blocking tasks; default the hardware's concurrency, and 256), or a registered
// "name[:argument]". InvalidArgument otherwise.
StatusOr<std::unique_ptr<ConcurrentWorkQueue>> CreateWorkQueue(std::string_view config);

std::unique_ptr<ConcurrentWorkQueue> CreateSingleThreadedWorkQueue();
std::unique_ptr<ConcurrentWorkQueue> CreateMultiThreadedWorkQueue(int num_threads,
                                                                  int num_blocking_threads);

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_CONCURRENT_WORK_QUEUE_H_
