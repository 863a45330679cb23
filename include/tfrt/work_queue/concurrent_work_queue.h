// ConcurrentWorkQueue: where tasks run. One interface, queues pluggable by name.
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

// Thread-safe. Destruction waits for all work and for all tickets; no other call may be in progress
// when it begins, but for those of tasks and of threads that hold a ticket.
class ConcurrentWorkQueue {
 public:
  virtual ~ConcurrentWorkQueue() = default;

  // For people: "single-threaded", "Multi-threaded C++ work queue (4 threads, 256 blocking
  // threads)".
  virtual std::string name() const = 0;

  // Appends a task that does not block. It may run at once on the calling thread if the queue is
  // full. Every task runs in the end, also beside others that go on for ever by adding the next.
  virtual void AddTask(TaskFunction task) = 0;

  // As AddTask, for one part of some work of which the caller is about to run another: it is worth
  // moving to another thread at once, while a task added otherwise is often the continuation of
  // what the caller does and best left to its thread. A queue may make no difference.
  virtual void AddForkedTask(TaskFunction task) { AddTask(std::move(task)); }

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
  // the thread's stack: thousands deep they exhaust it. A queue of one's own opens an AwaitScope
  // here and in Quiesce.
  virtual void Await(std::span<AsyncValue* const> values) = 0;

  // Returns when no task and no ticket is left, including those that tasks add and make; sleeps
  // while only others can help. May be called by tasks: then neither tasks that do so nor those
  // below them on a thread's stack are waited for, and the single-threaded queue runs only what was
  // added since it began with the tasks among which the caller is; the rest of these only if it
  // would otherwise sleep, for a ticket or for a task that another thread runs, which may depend on
  // them. Another thread that quiesces waits for that rest.
  virtual void Quiesce() = 0;

  // A ticket for work that goes on outside the queue: for Quiesce and the destructor, a task that
  // has not finished. Any thread may make one, in or outside of tasks.
  [[nodiscard]] TaskTicket MakeTicket();

  // What a queue does for tickets. Called by TaskTicket, and by queues that wrap another one.
  //
  // Counts one more unfinished task.
  virtual void AddTicket() = 0;
  // Ends the ticket: its count becomes that of `task`, which is appended and never runs inside of
  // this call, or goes if `task` is empty. Any thread, also one that is ending. Once the count is
  // gone Quiesce may return elsewhere, followed by the destructor: what this call still does with
  // the queue must be over when Quiesce sees it, for example by going under the same lock.
  virtual void EndTicket(TaskFunction task) = 0;

  // Number of non-blocking tasks that may run at once.
  virtual int GetParallelismLevel() const = 0;
  virtual bool IsInWorkerThread() const = 0;
  // True if all tasks run on the thread that calls Await or Quiesce, in the order in which they
  // were added.
  virtual bool IsSingleThreaded() const { return false; }
  // Of a queue with IsSingleThreaded, asked by a task: false if no other task waits, so that what
  // this task adds is what runs next. A queue that cannot tell says true.
  virtual bool MayHaveTasks() const { return true; }

  // Whether AddTask, AddForkedTask, AddBlockingTask and EndTicket make the records of their tasks
  // (queue_records.h). Where they do not, EnqueueWork and the runtime do for the tasks they add.
  virtual bool RecordsTasks() const { return false; }
  QueueRecords& records() { return records_; }

 private:
  [[no_unique_address]] QueueRecords records_;
};

// Stands for work that goes on outside of a queue, on a device or a thread of its own, and for the
// task that the work ends with. While it lives the queue's Quiesce and destructor wait. Whoever
// holds it, on any thread, uses it up by adding that task, or ends it without one; a ticket that
// nobody ends makes them wait for ever.
//
// Movable, not copyable; used by one thread at a time, and by any. The queue outlives it, because
// the queue's destructor waits for it. So a thread must not quiesce or destroy the queue while it
// holds a ticket itself, nor while one is held by what can only go on after that call: a task below
// on the same stack, an object that lives as long as the queue.
//
//   TaskTicket ticket = queue.MakeTicket();
//   device.CallWhenDone([ticket = std::move(ticket)]() mutable {  // a thread of the device
//     ticket.AddTask([] { ... });                                 // runs on the queue
//   });
class TaskTicket {
 public:
  // Of no queue.
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

  // Whether it is a ticket still: not moved from and not used up.
  explicit operator bool() const { return queue_ != nullptr; }

  // Appends `task` to the queue, as one of its own tasks that must not block, and uses the ticket
  // up: Quiesce waits for the task instead. The task never runs inside of this call.
  void AddTask(TaskFunction task) {
    assert(queue_ && "a ticket that is used up");
    assert(task && "an empty task; see Drop");
    if (tracing::IsRecording()) [[unlikely]]
      task = internal::RecordedForQueue(*queue_, std::move(task));
    std::exchange(queue_, nullptr)->EndTicket(std::move(task));
  }
  // The work has ended and no task is needed. Does nothing if the ticket is used up.
  void Drop() {
    if (queue_) std::exchange(queue_, nullptr)->EndTicket(TaskFunction());
  }

 private:
  friend class ConcurrentWorkQueue;
  explicit TaskTicket(ConcurrentWorkQueue* queue) : queue_(queue) { queue->AddTicket(); }

  ConcurrentWorkQueue* queue_ = nullptr;
};

inline TaskTicket ConcurrentWorkQueue::MakeTicket() { return TaskTicket(this); }

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

#endif  // TFRT_WORK_QUEUE_CONCURRENT_WORK_QUEUE_H_
