// ConcurrentWorkQueue: the interface of the queues that run tasks. Queues are pluggable by name.
#ifndef TFRT_WORK_QUEUE_CONCURRENT_WORK_QUEUE_H_
#define TFRT_WORK_QUEUE_CONCURRENT_WORK_QUEUE_H_

#include <cassert>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"
#include "tfrt/work_queue/queue_records.h"

namespace tfrt {

class TaskTicket;

// Thread-safe. Destruction waits for all work and for all tickets. No other call may be in progress
// when destruction begins, except calls by tasks and by threads that hold a ticket.
class ConcurrentWorkQueue {
 public:
  virtual ~ConcurrentWorkQueue() = default;

  // A human-readable name: "single-threaded", "Multi-threaded C++ work queue (4 threads, 256
  // blocking threads)".
  virtual std::string name() const = 0;

  // Appends a task that does not block. It may run at once on the calling thread if the queue is
  // full. Every task runs eventually, even beside tasks that go on for ever by adding the next one.
  virtual void AddTask(TaskFunction task) = 0;

  // As AddTask, for one part of some work of which the caller is about to run another part. Such a
  // task is worth moving to another thread at once. A task from AddTask is often the continuation
  // of what the caller does, and is best left to the caller's thread. A queue may treat both alike.
  virtual void AddForkedTask(TaskFunction task) { AddTask(std::move(task)); }

  // Appends a task that may block its thread. With `allow_queuing` it may wait for other blocking
  // tasks; without, it starts in finite time whatever the others do. Returns the task if the queue
  // cannot promise that.
  [[nodiscard]] virtual std::optional<TaskFunction> AddBlockingTask(TaskFunction task,
                                                                    bool allow_queuing) = 0;

  // Sleeps until all values are available. May be called by tasks. On a worker thread, and under
  // the single-threaded queue, it runs available tasks meanwhile. The single-threaded queue runs
  // the oldest first. A blocking task gives its place to another one meanwhile. So a value may come
  // from any task that has not begun.
  //
  // A task that runs on top of an awaiting task must not wait for what that task does afterwards.
  // Tasks that await one another nest on the thread's stack: thousands deep they exhaust it. A
  // custom queue opens an AwaitScope here and in Quiesce.
  virtual void Await(std::span<AsyncValue* const> values) = 0;

  // Returns when no task and no ticket is left, including those that tasks add and make. Sleeps
  // while only other threads can make progress.
  //
  // May be called by tasks. It then waits neither for tasks that call Quiesce nor for those below
  // them on a thread's stack. The single-threaded queue then runs only newer tasks at first. These
  // were added since it took the group of tasks that contains the caller. It runs the rest of that
  // group only if it would otherwise sleep for a ticket or for another thread's task. These may
  // depend on the rest. Another thread that quiesces waits for that rest.
  virtual void Quiesce() = 0;

  // Makes a ticket for work that continues outside the queue. Quiesce and the destructor treat it
  // as a task that has not finished. Any thread may make one, in or outside of tasks.
  [[nodiscard]] TaskTicket MakeTicket();

  // The queue's side of tickets. Called by TaskTicket, and by queues that wrap another one.
  //
  // Counts one more unfinished task.
  virtual void AddTicket() = 0;
  // Ends the ticket. Its count passes to `task`, which is appended and never runs inside of this
  // call. If `task` is empty, the count is dropped. Called by any thread, also one that is ending.
  //
  // Once the count is dropped, Quiesce may return on another thread and the destructor may follow.
  // So this call must have finished using the queue when Quiesce sees the new count. It may, for
  // example, drop the count under the lock that Quiesce takes.
  virtual void EndTicket(TaskFunction task) = 0;

  // Returns the number of non-blocking tasks that may run at once.
  virtual int GetParallelismLevel() const = 0;
  virtual bool IsInWorkerThread() const = 0;
  // True if all tasks run on the thread that calls Await or Quiesce, in the order in which they
  // were added.
  virtual bool IsSingleThreaded() const { return false; }
  // Called by a task of a queue with IsSingleThreaded. False if no other task waits, so that what
  // this task adds runs next. A queue that cannot tell returns true.
  virtual bool MayHaveTasks() const { return true; }

  // Returns whether AddTask, AddForkedTask, AddBlockingTask and EndTicket make the records of their
  // tasks (queue_records.h). If not, EnqueueWork and the runtime make them for the tasks they add.
  virtual bool RecordsTasks() const { return false; }
  QueueRecords& records() { return records_; }

 private:
  [[no_unique_address]] QueueRecords records_;
};

// Stands for work outside of a queue, on a device or a separate thread, and for the task that ends
// the work. While it lives, the queue's Quiesce and destructor wait. Its holder, on any thread,
// uses it up by adding that task, or drops it without one. A ticket that is never ended makes them
// wait for ever.
//
// Movable, not copyable; used by one thread at a time, and by any. The queue outlives it, because
// the queue's destructor waits for it. So a thread must not quiesce or destroy the queue while it
// holds a ticket itself. Nor may it do so while the ticket's holder can only go on after that call.
// Such holders are a task below on the same stack and an object that lives as long as the queue.
//
//   TaskTicket ticket = queue.MakeTicket();
//   device.CallWhenDone([ticket = std::move(ticket)]() mutable {  // a thread of the device
//     ticket.AddTask([] { ... });                                 // runs on the queue
//   });
class TaskTicket {
 public:
  // Makes a ticket of no queue.
  TaskTicket() = default;
  TaskTicket(TaskTicket&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)) {}
  TaskTicket& operator=(TaskTicket&& other) noexcept {
    if (this != &other) {
      Drop();
      queue_ = std::exchange(other.queue_, nullptr);
    }
    return *this;
  }
  ~TaskTicket() { Drop(); }

  // True if this is still a ticket: neither moved from nor used up.
  explicit operator bool() const { return queue_ != nullptr; }

  // Appends `task`, which must not block, to the queue and uses the ticket up: Quiesce waits for
  // the task instead. The task never runs inside of this call.
  void AddTask(TaskFunction task) {
    assert(queue_ && "a ticket that is used up");
    assert(task && "an empty task; see Drop");
    if (tracing::IsRecording()) [[unlikely]]
      task = internal::RecordedForQueue(*queue_, std::move(task));
    std::exchange(queue_, nullptr)->EndTicket(std::move(task));
  }
  // Ends the ticket without a task. Does nothing if the ticket is used up.
  void Drop() {
    if (queue_) std::exchange(queue_, nullptr)->EndTicket(TaskFunction());
  }

 private:
  friend class ConcurrentWorkQueue;
  explicit TaskTicket(ConcurrentWorkQueue* queue) : queue_(queue) { queue->AddTicket(); }

  ConcurrentWorkQueue* queue_ = nullptr;
};

inline TaskTicket ConcurrentWorkQueue::MakeTicket() { return TaskTicket(this); }

// Makes a queue from the text after the colon of its name (empty if there is none).
using WorkQueueFactory =
    std::function<StatusOr<std::unique_ptr<ConcurrentWorkQueue>>(std::string_view argument)>;

// Adds a queue type. Returns AlreadyExists if the name is taken. Thread-safe.
Status RegisterWorkQueueFactory(std::string_view name, WorkQueueFactory factory);

// Makes the queue that `config` names: `s`, `mstd`, `mstd:N`, `mstd:N,M`, or a registered
// "name[:argument]". N is the number of threads for tasks, by default the hardware's concurrency. M
// is the number of threads for blocking tasks, by default 256. Returns InvalidArgument otherwise.
StatusOr<std::unique_ptr<ConcurrentWorkQueue>> CreateWorkQueue(std::string_view config);

std::unique_ptr<ConcurrentWorkQueue> CreateSingleThreadedWorkQueue();
std::unique_ptr<ConcurrentWorkQueue> CreateMultiThreadedWorkQueue(int num_threads,
                                                                  int num_blocking_threads);

}  // namespace tfrt

#endif  // TFRT_WORK_QUEUE_CONCURRENT_WORK_QUEUE_H_
