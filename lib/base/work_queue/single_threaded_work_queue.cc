#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

#include "task_list.h"
#include "tfrt/support/yield_point.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

using internal::Task;
using internal::TaskList;

bool AllAvailable(std::span<AsyncValue* const> values) {
  // Written out: values are few, and this is looked at after each task.
  for (AsyncValue* value : values) {
    if (!value->IsAvailable()) return false;
  }
  return true;
}

// A FIFO of tasks that run on whichever thread calls Await or Quiesce. Other threads (timers, a
// user's own) may add tasks and resolve values, so adding is lock-free: tasks are pushed on a
// stack, and who runs them takes all of it at once and turns it around. Tickets are counted apart:
// tasks are not counted at all.
class SingleThreadedWorkQueue : public ConcurrentWorkQueue {
 public:
  ~SingleThreadedWorkQueue() override { Quiesce(); }

  std::string name() const override { return "single-threaded"; }

  void AddTask(TaskFunction function) override {
    if (tracing::IsRecording()) [[unlikely]]
      return AddRecorded(std::move(function));
    Push(std::move(function));
  }
  // Apart, so that AddTask needs no frame for it.
  [[gnu::noinline]] void AddRecorded(TaskFunction&& function) {
    if (!function.records_itself()) function = internal::RecordedTask(*this, std::move(function));
    Push(std::move(function));
  }
  [[gnu::always_inline]] void Push(TaskFunction&& function) {
    Task* task = function.release();
    Task* newest = newest_.load(std::memory_order_relaxed);
    // release: whoever takes the task sees its contents. seq_cst, so that this thread does not miss
    // a sleeper that has not seen the task; see WaitForChange.
    do {
      task->next = newest;
    } while (!newest_.compare_exchange_weak(newest, task, std::memory_order_seq_cst,
                                            std::memory_order_relaxed));
    if (shared_->sleepers.load(std::memory_order_seq_cst) != 0) [[unlikely]]
      shared_->Wake();
  }

  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool allow_queuing) override {
    // With one thread nothing can be promised about when a task starts.
    if (!allow_queuing) return task;
    AddTask(std::move(task));
    return std::nullopt;
  }

  // Tasks in the batches of calls below on this thread's stack are older than those in the queue,
  // and the values may depend on them.
  void Await(std::span<AsyncValue* const> values) override {
    if (AllAvailable(values)) return;
    AwaitScope scope;
    while (!AllAvailable(values)) {
      Task* task = TakeFromBatches();
      if (!task) break;  // for good: nothing is added to batches
      task->Run();
    }
    std::shared_ptr<const bool> ready;  // made when there is nothing to do for the first time
    Batch batch(this);
    while (!AllAvailable(values)) {
      if (batch.tasks.empty()) TakeTasks(&batch);
      if (batch.tasks.empty()) {
        if (!ready) ready = SignalWhenReady(values);
        WaitForChange([&] { return *ready; });
        continue;
      }
      batch.tasks.PopFront()->Run();
    }
    PutBack(std::move(batch.tasks));
    EndRunning(&batch);
  }

  // Sees nothing of the batches below on this thread's stack, only tasks that were added since. But
  // before it sleeps, for a ticket or for tasks that another thread runs, it runs those, too: what
  // it sleeps for may depend on them.
  void Quiesce() override {
    AwaitScope scope;
    SuspendRunning not_waited_for(this);
    Batch batch(this);
    while (true) {
      not_waited_for.Update();
      // In this order: tasks come before the end of the ticket or of the task that has added them.
      // acquire: sees these tasks with it.
      const uint64_t running = shared_->running.load(std::memory_order_acquire);
      const bool has_tickets = shared_->num_tickets.load(std::memory_order_acquire) != 0;
      TFRT_YIELD_POINT(counts_read);
      TakeTasks(&batch);
      TFRT_YIELD_POINT(tasks_taken);
      if (!batch.tasks.empty()) {
        while (!batch.tasks.empty()) batch.tasks.PopFront()->Run();
        EndRunning(&batch);
      } else if (!has_tickets && Shared::NumRunning(running) == not_waited_for.num_counted()) {
        // Another thread may have taken what this one did not find: not if none has begun since.
        if (shared_->running.load(std::memory_order_acquire) == running) return;
      } else if (Task* task = TakeFromBatches()) {
        BeginRunning(&batch);
        task->Run();
        EndRunning(&batch);
      } else {
        WaitForChange([&] {
          return shared_->num_tickets.load(std::memory_order_relaxed) == 0 &&
                 Shared::NumRunning(shared_->running.load(std::memory_order_seq_cst)) == 0;
        });
      }
    }
  }

  // relaxed: who makes a ticket is ordered before those who shall wait for it, or holds another
  // ticket until this one is counted.
  void AddTicket() override { shared_->num_tickets.fetch_add(1, std::memory_order_relaxed); }
  void EndTicket(TaskFunction task) override {
    // The queue may be gone once the ticket is.
    const std::shared_ptr<Shared> shared = shared_;
    if (task) {
      AddTask(std::move(task));
      TFRT_YIELD_POINT(ticket_task_added);
    }
    {
      // Under the lock, so that a sleeper does not miss it between its look and its sleep.
      std::lock_guard lock(shared->mutex);
      // release: who sees that the ticket is gone sees its task.
      shared->num_tickets.fetch_sub(1, std::memory_order_release);
      TFRT_YIELD_POINT(ticket_uncounted);
    }
    shared->changed.notify_all();
  }

  int GetParallelismLevel() const override { return 1; }
  bool IsInWorkerThread() const override { return false; }
  bool IsSingleThreaded() const override { return true; }
  bool RecordsTasks() const override { return true; }
  bool MayHaveTasks() const override { return HasTask() || OldestBatch() != nullptr; }

 private:
  // The tasks that a call of Await or Quiesce has taken out of the queue, all at once, and not run
  // yet. Lies in the call's frame, linked to the batch of the call below it, which may be another
  // queue's.
  struct Batch {
    explicit Batch(const SingleThreadedWorkQueue* queue) : queue(queue) { innermost = this; }
    Batch(const Batch&) = delete;
    ~Batch() { innermost = outer; }

    const SingleThreadedWorkQueue* const queue;
    Batch* const outer = innermost;
    TaskList tasks;
    bool is_running = false;  // counted in Shared::running
    static thread_local constinit Batch* innermost;
  };

  // Returns the oldest of this thread's batches that still has tasks, or null.
  TaskList* OldestBatch() const {
    TaskList* oldest = nullptr;
    for (Batch* batch = Batch::innermost; batch; batch = batch->outer) {
      if (batch->queue == this && !batch->tasks.empty()) oldest = &batch->tasks;
    }
    return oldest;
  }
  // The oldest task of this thread's batches, or null.
  Task* TakeFromBatches() {
    TaskList* oldest = OldestBatch();
    return oldest ? oldest->PopFront() : nullptr;
  }

  // The batch of this thread that is counted, or null.
  Batch* RunningBatch() const {
    Batch* batch = Batch::innermost;
    while (batch && !(batch->queue == this && batch->is_running)) batch = batch->outer;
    return batch;
  }
  // Before tasks are taken, and after the last has run: who quiesces on another thread waits for
  // them. A thread is counted once. seq_cst: see EndRunning.
  void BeginRunning(Batch* batch) {
    if (RunningBatch()) return;
    batch->is_running = true;
    shared_->running.fetch_add(Shared::kOneRuns, std::memory_order_seq_cst);
  }
  // seq_cst: either this thread sees one that sleeps, or that one sees that nobody runs.
  void EndRunning(Batch* batch) {
    if (!std::exchange(batch->is_running, false)) return;
    const uint64_t before = shared_->running.fetch_sub(1, std::memory_order_seq_cst);
    if (Shared::NumRunning(before) == 1 && shared_->sleepers.load(std::memory_order_seq_cst) != 0) {
      shared_->Wake();
    }
  }
  // While a task quiesces nobody waits for it, nor for those below it on its thread's stack; but
  // others do for what the batches of the thread have left.
  class SuspendRunning {
   public:
    explicit SuspendRunning(SingleThreadedWorkQueue* queue)
        : queue_(queue), batch_(queue->RunningBatch()) {}
    SuspendRunning(const SuspendRunning&) = delete;
    // Before the thread looks whether others run, or sleeps: batches only get shorter meanwhile.
    void Update() {
      if (num_counted() != 0 && !queue_->OldestBatch()) queue_->EndRunning(batch_);
    }
    // Says how many of the counted threads are this one: 0 or 1.
    uint32_t num_counted() const { return batch_ && batch_->is_running ? 1 : 0; }
    ~SuspendRunning() {
      if (batch_) queue_->BeginRunning(batch_);
    }

   private:
    SingleThreadedWorkQueue* const queue_;
    Batch* const batch_;
  };

  // Takes all that is queued into the batch, which is empty.
  void TakeTasks(Batch* batch) {
    if (!HasTask()) return EndRunning(batch);
    if (!batch->is_running) BeginRunning(batch);
    // relaxed: the lock orders the rest; a task put back by another thread a moment later is as
    // good as one added then.
    if (has_first_tasks_.load(std::memory_order_relaxed)) {
      std::lock_guard lock(first_tasks_mutex_);
      batch->tasks.Append(std::move(first_tasks_));
      // release: who sees that there are none sees that this thread is counted.
      has_first_tasks_.store(false, std::memory_order_release);
    }
    // acquire: sees what the tasks' adders wrote. release: as above.
    batch->tasks.AppendReversed(newest_.exchange(nullptr, std::memory_order_acq_rel));
    // Another thread was faster. One that sleeps is not counted.
    if (batch->tasks.empty()) EndRunning(batch);
  }
  // Puts back tasks that Await did not run: they come before all other tasks. Another thread may
  // sleep because it found the queue empty meanwhile.
  void PutBack(TaskList batch) {
    if (batch.empty()) return;
    {
      std::lock_guard lock(first_tasks_mutex_);
      batch.Append(std::move(first_tasks_));
      first_tasks_.Append(std::move(batch));
      // seq_cst: as in AddTask.
      has_first_tasks_.store(true, std::memory_order_seq_cst);
    }
    if (shared_->sleepers.load(std::memory_order_seq_cst) != 0) shared_->Wake();
  }
  bool HasTask() const {
    return newest_.load(std::memory_order_seq_cst) ||
           has_first_tasks_.load(std::memory_order_seq_cst);
  }

  // A flag, guarded by shared_->mutex, that becomes true when the values are available.
  std::shared_ptr<const bool> SignalWhenReady(std::span<AsyncValue* const> values) {
    auto ready = std::make_shared<bool>(false);
    RunWhenReady(values, [shared = shared_, ready] {
      {
        std::lock_guard lock(shared->mutex);
        *ready = true;
      }
      shared->changed.notify_all();
    });
    return ready;
  }
  // Only another thread can help now: sleeps until it adds a task, or until done(), which is called
  // under shared_->mutex.
  template <typename Done>
  [[gnu::noinline]] void WaitForChange(Done&& done) {
    tracing::RecordScope idle(kIdleRecord, [this] { return records().NameOf(*this); });
    std::unique_lock lock(shared_->mutex);
    // seq_cst: either this thread sees the task, or the one that adds it sees the sleeper.
    shared_->sleepers.fetch_add(1, std::memory_order_seq_cst);
    shared_->changed.wait(lock, [&] { return done() || HasTask(); });
    shared_->sleepers.fetch_sub(1, std::memory_order_relaxed);
  }

  // Shared with the waiters of Await and with those who end tickets: the thread that resolves a
  // value may still be signalling when the caller has already seen the value and destroyed the
  // queue.
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::atomic<int> sleepers{0};
    std::atomic<int64_t> num_tickets{0};  // falls under the mutex only
    // How many threads run tasks, in the lower half, and in the upper half how often one has begun,
    // which wraps around.
    static constexpr uint64_t kOneRuns = (uint64_t{1} << 32) + 1;
    static uint32_t NumRunning(uint64_t running) { return static_cast<uint32_t>(running); }
    std::atomic<uint64_t> running{0};

    void Wake() {
      // Under the lock, so that the signal cannot fall between a sleeper's look and its sleep.
      {
        std::lock_guard lock(mutex);
      }
      changed.notify_all();
    }
  };
  const std::shared_ptr<Shared> shared_ = std::make_shared<Shared>();
  std::atomic<Task*> newest_{nullptr};
  std::mutex first_tasks_mutex_;
  TaskList first_tasks_;  // guarded by first_tasks_mutex_
  std::atomic<bool> has_first_tasks_{false};
};

thread_local constinit SingleThreadedWorkQueue::Batch* SingleThreadedWorkQueue::Batch::innermost =
    nullptr;

}  // namespace

std::unique_ptr<ConcurrentWorkQueue> CreateSingleThreadedWorkQueue() {
  return std::make_unique<SingleThreadedWorkQueue>();
}

}  // namespace tfrt
