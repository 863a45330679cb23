// The multi-threaded queue: N workers with work-stealing deques, and a pool for blocking tasks.
//
// A worker pushes to its own deque and pops the newest; others steal the oldest. Tasks from outside
// go through one locked queue. A worker that finds nothing looks around for a while and then parks.
//
// A task that is alone in its worker's deque is usually the continuation of what that worker does and will
// be run by it in a moment, with everything in its cache; stealing it would move a chain of tasks from
// thread to thread. So thieves leave it alone until it has been the oldest for several looks, and
// adding it wakes nobody; one of the parked workers, the watcher, looks every now and then.
//
// No wake-up is lost: a worker announces itself in `parked_` and only then looks for work a last time;
// whoever adds work publishes it and only then looks at `parked_`. All four accesses are sequentially
// consistent, so at least one of the two sees the other. The same goes for tasks that are alone and
// `has_watcher_`, which a watcher takes back before it looks a last time.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "blocking_pool.h"
#include "task.h"
#include "task_deque.h"
#include "tfrt/host_context/concurrent_work_queue.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr int kSpinRounds = 64;
// How often a thief must see the same task alone before it takes it, and how often the watcher looks.
constexpr int kLooksAtLoneTask = 8;
constexpr std::chrono::microseconds kWatchInterval{100};

using internal::Task;

bool AllAvailable(std::span<AsyncValue* const> values) {
  return std::all_of(values.begin(), values.end(),
                     [](AsyncValue* value) { return value->IsAvailable(); });
}

class MultiThreadedWorkQueue : public ConcurrentWorkQueue {
 public:
  MultiThreadedWorkQueue(int num_threads, int num_blocking_threads)
      : num_blocking_threads_(num_blocking_threads),
        workers_(num_threads),
        blocking_pool_(num_blocking_threads) {
    for (Worker& worker : workers_) worker.seen.resize(workers_.size());
  }
  ~MultiThreadedWorkQueue() override;

  std::string name() const override {
    return StrCat("Multi-threaded C++ work queue (", workers_.size(), " threads, ",
                  num_blocking_threads_, " blocking threads)");
  }
  void AddTask(TaskFunction task) override;
  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool allow_queuing) override;
  void Await(std::span<AsyncValue* const> values) override;
  void Quiesce() override;
  int GetParallelismLevel() const override { return static_cast<int>(workers_.size()); }
  bool IsInWorkerThread() const override { return current_queue == this; }

 private:
  // What a thief has seen of one victim.
  struct LoneTask {
    int64_t top = -1;
    int num_looks = 0;
  };
  struct Worker {
    internal::TaskDeque<Task> deque;
    std::thread thread;
    std::vector<LoneTask> seen;  // by victim; the worker's own
  };

  void RunWorker(size_t index);
  Task* FindTask(size_t index);
  Task* FindLoneTask(size_t index);
  Task* TakeExternal();
  // Whether a deque holds `size` tasks or more, or the external queue holds any.
  bool HasTask(int64_t size) const;
  void Park();
  template <typename Woken>
  bool Watch(std::unique_lock<std::mutex>* lock, Woken&& woken);
  void WakeOne();
  void StartWorkerIfUseful();
  bool RunOneHere();
  void RunHere(Task* task);
  void TaskDone();
  void AddQuiescingTasks(int count);

  static thread_local MultiThreadedWorkQueue* current_queue;
  static thread_local size_t current_index;
  // Tasks on this worker's stack, and how many of them are counted in quiescing_tasks_.
  static thread_local int tasks_on_stack;
  static thread_local int quiescing_on_stack;
  // The queue whose blocking task this thread runs.
  static thread_local MultiThreadedWorkQueue* current_blocking_queue;

  const int num_blocking_threads_;
  std::vector<Worker> workers_;

  // Threads are started one by one, while tasks find nobody to run them.
  std::atomic<size_t> num_started_{0};
  std::mutex start_mutex_;

  std::mutex external_mutex_;
  std::deque<Task*> external_tasks_;
  std::atomic<size_t> num_external_{0};

  std::atomic<int> parked_{0};
  std::atomic<bool> has_watcher_{false};
  std::mutex park_mutex_;
  std::condition_variable wake_;
  std::atomic<uint64_t> wake_epoch_{0};  // written under park_mutex_
  std::atomic<bool> stopping_{false};

  // Tasks, blocking ones too, that were added and have not finished.
  std::atomic<int64_t> pending_{0};
  // Tasks that are inside Quiesce or below such a task on a worker's stack: they cannot finish before it
  // returns.
  std::atomic<int64_t> quiescing_tasks_{0};
  std::mutex quiesce_mutex_;
  std::condition_variable quiescent_;

  internal::BlockingPool blocking_pool_;
};

thread_local MultiThreadedWorkQueue* MultiThreadedWorkQueue::current_queue = nullptr;
thread_local size_t MultiThreadedWorkQueue::current_index = 0;
thread_local int MultiThreadedWorkQueue::tasks_on_stack = 0;
thread_local int MultiThreadedWorkQueue::quiescing_on_stack = 0;
thread_local MultiThreadedWorkQueue* MultiThreadedWorkQueue::current_blocking_queue = nullptr;

MultiThreadedWorkQueue::~MultiThreadedWorkQueue() {
  Quiesce();
  {
    std::lock_guard lock(park_mutex_);
    stopping_.store(true, std::memory_order_seq_cst);
    wake_epoch_.fetch_add(1, std::memory_order_seq_cst);
  }
  wake_.notify_all();
  for (Worker& worker : workers_) {
    if (worker.thread.joinable()) worker.thread.join();
  }
}

void MultiThreadedWorkQueue::AddTask(TaskFunction function) {
  // relaxed: the count is read after the task's own effects are ordered by the queue.
  pending_.fetch_add(1, std::memory_order_relaxed);
  Task* task = Task::Make(std::move(function));
  bool is_lone = false;
  if (current_queue == this) {
    internal::TaskDeque<Task>& deque = workers_[current_index].deque;
    if (!deque.Push(task)) return RunHere(task);
    is_lone = deque.Look().size == 1;
  } else {
    std::lock_guard lock(external_mutex_);
    external_tasks_.push_back(task);
    num_external_.fetch_add(1, std::memory_order_seq_cst);
  }
  if (parked_.load(std::memory_order_seq_cst) > 0) {
    if (!is_lone || !has_watcher_.load(std::memory_order_seq_cst)) WakeOne();
  } else {
    StartWorkerIfUseful();
  }
}

void MultiThreadedWorkQueue::StartWorkerIfUseful() {
  if (num_started_.load(std::memory_order_relaxed) == workers_.size()) return;
  std::lock_guard lock(start_mutex_);
  size_t index = num_started_.load(std::memory_order_relaxed);
  if (index == workers_.size()) return;
  workers_[index].thread = std::thread([this, index] { RunWorker(index); });
  num_started_.store(index + 1, std::memory_order_relaxed);
}

void MultiThreadedWorkQueue::TaskDone() {
  // Whoever sees zero sees everything that all tasks did. seq_cst: this task and one that begins to
  // quiesce must not both miss the other's count.
  int64_t left = pending_.fetch_sub(1, std::memory_order_seq_cst) - 1;
  if (left <= quiescing_tasks_.load(std::memory_order_seq_cst)) {
    // Under the lock, so that the signal cannot fall between a waiter's look and its sleep.
    std::lock_guard lock(quiesce_mutex_);
    quiescent_.notify_all();
  }
}

std::optional<TaskFunction> MultiThreadedWorkQueue::AddBlockingTask(TaskFunction task,
                                                                    bool allow_queuing) {
  pending_.fetch_add(1, std::memory_order_relaxed);
  // The task stays in a box, so that it can be handed back without the wrapper.
  auto box = std::make_shared<TaskFunction>(std::move(task));
  auto rejected = blocking_pool_.Add(
      [this, box]() mutable {
        current_blocking_queue = this;
        (*box)();
        box.reset();
        current_blocking_queue = nullptr;
        TaskDone();
      },
      allow_queuing);
  if (!rejected) return std::nullopt;
  TaskDone();
  return std::move(*box);
}

Task* MultiThreadedWorkQueue::TakeExternal() {
  if (num_external_.load(std::memory_order_seq_cst) == 0) return nullptr;
  std::lock_guard lock(external_mutex_);
  if (external_tasks_.empty()) return nullptr;
  Task* task = external_tasks_.front();
  external_tasks_.pop_front();
  num_external_.fetch_sub(1, std::memory_order_seq_cst);
  return task;
}

bool MultiThreadedWorkQueue::HasTask(int64_t size) const {
  if (num_external_.load(std::memory_order_seq_cst) != 0) return true;
  return std::any_of(workers_.begin(), workers_.end(), [&](const Worker& worker) {
    return worker.deque.Look().size >= size;
  });
}

Task* MultiThreadedWorkQueue::FindTask(size_t index) {
  if (Task* task = workers_[index].deque.Pop()) return task;
  if (Task* task = TakeExternal()) return task;
  for (size_t i = 1; i < workers_.size(); ++i) {
    internal::TaskDeque<Task>& deque = workers_[(index + i) % workers_.size()].deque;
    if (deque.Look().size < 2) continue;
    if (Task* task = deque.Steal()) return task;
  }
  return nullptr;
}

// Counts the looks at tasks that are alone; takes one that nobody runs.
Task* MultiThreadedWorkQueue::FindLoneTask(size_t index) {
  for (size_t i = 1; i < workers_.size(); ++i) {
    size_t victim = (index + i) % workers_.size();
    auto [top, size] = workers_[victim].deque.Look();
    LoneTask& seen = workers_[index].seen[victim];
    if (size != 1 || seen.top != top) {
      seen = {size == 1 ? top : -1, 0};
    } else if (++seen.num_looks >= kLooksAtLoneTask) {
      seen = {};
      if (Task* task = workers_[victim].deque.Steal()) return task;
    }
  }
  return nullptr;
}

void MultiThreadedWorkQueue::WakeOne() {
  {
    std::lock_guard lock(park_mutex_);
    wake_epoch_.fetch_add(1, std::memory_order_seq_cst);
  }
  wake_.notify_one();
}

void MultiThreadedWorkQueue::Park() {
  uint64_t epoch = wake_epoch_.load(std::memory_order_seq_cst);
  parked_.fetch_add(1, std::memory_order_seq_cst);
  if (!HasTask(2)) {
    std::unique_lock lock(park_mutex_);
    auto woken = [&] {
      return wake_epoch_.load(std::memory_order_relaxed) != epoch ||
             stopping_.load(std::memory_order_relaxed);
    };
    bool done = false;
    if (workers_.size() > 1 && !has_watcher_.exchange(true, std::memory_order_seq_cst)) {
      done = Watch(&lock, woken);
      has_watcher_.store(false, std::memory_order_seq_cst);
      // A task may have been added while this was still the watcher.
      done = done || HasTask(1);
    }
    if (!done) wake_.wait(lock, woken);
  }
  parked_.fetch_sub(1, std::memory_order_seq_cst);
}

// Sleeps while other workers run, but looks for tasks that are left alone. True if there is something
// to do; false if all workers are parked.
template <typename Woken>
bool MultiThreadedWorkQueue::Watch(std::unique_lock<std::mutex>* lock, Woken&& woken) {
  while (static_cast<size_t>(parked_.load(std::memory_order_seq_cst)) <
         num_started_.load(std::memory_order_relaxed)) {
    if (wake_.wait_for(*lock, kWatchInterval, woken) || HasTask(1)) return true;
  }
  return false;
}

void MultiThreadedWorkQueue::RunWorker(size_t index) {
  current_queue = this;
  current_index = index;
  while (!stopping_.load(std::memory_order_seq_cst)) {
    Task* task = FindTask(index);
    for (int round = 0; !task && round < kSpinRounds; ++round) {
      std::this_thread::yield();
      task = FindTask(index);
      if (!task) task = FindLoneTask(index);
    }
    if (task) {
      RunHere(task);
    } else {
      Park();
    }
  }
}

bool MultiThreadedWorkQueue::RunOneHere() {
  Task* task = FindTask(current_index);
  if (!task) task = FindLoneTask(current_index);
  if (!task) return false;
  RunHere(task);
  return true;
}

void MultiThreadedWorkQueue::RunHere(Task* task) {
  ++tasks_on_stack;
  task->RunAndFree();
  --tasks_on_stack;
  TaskDone();
}

void MultiThreadedWorkQueue::Await(std::span<AsyncValue* const> values) {
  if (AllAvailable(values)) return;
  if (current_queue == this) {
    // A worker that slept here could be the one that has to run the producer.
    while (!AllAvailable(values)) {
      if (!RunOneHere()) std::this_thread::yield();
    }
    return;
  }
  struct Latch {
    std::mutex mutex;
    std::condition_variable done_changed;
    bool done = false;
  };
  auto latch = std::make_shared<Latch>();
  RunWhenReady(values, [latch] {
    std::lock_guard lock(latch->mutex);
    latch->done = true;
    latch->done_changed.notify_all();
  });
  std::unique_lock lock(latch->mutex);
  latch->done_changed.wait(lock, [&] { return latch->done; });
}

void MultiThreadedWorkQueue::Quiesce() {
  // seq_cst: see TaskDone.
  auto quiet = [&] {
    return pending_.load(std::memory_order_seq_cst) <=
           quiescing_tasks_.load(std::memory_order_seq_cst);
  };
  if (current_queue == this) {
    int added = tasks_on_stack - quiescing_on_stack;
    quiescing_on_stack += added;
    AddQuiescingTasks(added);
    while (!quiet()) {
      if (!RunOneHere()) std::this_thread::yield();
    }
    quiescing_on_stack -= added;
    quiescing_tasks_.fetch_sub(added, std::memory_order_seq_cst);
    return;
  }
  if (current_blocking_queue == this) {
    AddQuiescingTasks(1);
    std::unique_lock lock(quiesce_mutex_);
    quiescent_.wait(lock, quiet);
    quiescing_tasks_.fetch_sub(1, std::memory_order_seq_cst);
    return;
  }
  std::unique_lock lock(quiesce_mutex_);
  quiescent_.wait(lock, [&] { return pending_.load(std::memory_order_acquire) == 0; });
}

void MultiThreadedWorkQueue::AddQuiescingTasks(int count) {
  std::lock_guard lock(quiesce_mutex_);
  quiescing_tasks_.fetch_add(count, std::memory_order_seq_cst);
  quiescent_.notify_all();  // others that quiesce may have waited for these tasks
}

}  // namespace

std::unique_ptr<ConcurrentWorkQueue> CreateMultiThreadedWorkQueue(int num_threads,
                                                                  int num_blocking_threads) {
  return std::make_unique<MultiThreadedWorkQueue>(num_threads, num_blocking_threads);
}

}  // namespace tfrt
