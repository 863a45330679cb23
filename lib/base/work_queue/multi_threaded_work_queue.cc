// The multi-threaded queue: N workers with work-stealing deques, and a pool for blocking tasks.
//
// A worker pushes to its own deque and pops the newest; others steal the oldest. Tasks from outside
// go through one locked queue. A worker that finds nothing looks around for a while and then parks.
//
// A task that is alone in its worker's deque is usually the continuation of what that worker does
// and will be run by it in a moment, with everything in its cache; stealing it would move a chain
// of tasks from thread to thread. So thieves leave it alone until it has been the oldest for
// several looks, and adding it wakes nobody while one of the parked workers, the watcher, looks
// every now and then. A watcher that has seen nothing for a while sleeps like the others; the next
// lone task wakes somebody.
//
// A forked task is a part of some work of which its worker runs another. The place of the newest
// one in the deque is noted, and thieves take it at once: within a microsecond where they are
// awake. An older one that is left alone when its worker has taken back the newer ones is a lone
// task again.
//
// Moving a short task to another thread costs more than running it. So a thief looks how long what
// it steals takes; if that was short, it leaves a victim alone as long as that gets on by itself,
// and steals again when the victim has stayed with one task for several looks. Now and then it
// steals all the same, to find out whether tasks have become longer.
//
// A worker inside of Await or Quiesce is like any other: it runs tasks, on top of its own, and
// parks. It is only woken for a task if nobody else is parked and all threads run: what it waits
// for might come while that task keeps its stack.
//
// No wake-up is lost:
//
// Tasks: a worker announces itself (`parked_`, and its sleeper in a list) and only then looks for
// work a last time; whoever adds work publishes it and only then looks at `parked_`. All four
// accesses are sequentially consistent, so at least one of the two sees the other. The same goes
// for tasks that are alone and `has_watcher_`, which a watcher takes back before it looks a last
// time.
//
// A worker that was woken for a task, or that was the watcher, is relied upon to look for tasks. If
// it does not, because what it awaited has come, or because it has found another task, it wakes or
// starts the next one.
//
// A ticket is counted like a task. Any thread may end one, and the queue does not wait for that
// thread otherwise. So the thread uncounts the ticket last of all, under quiesce_mutex_, which
// every Quiesce takes before it returns.
//
// A worker waits for values, or for the end of other tasks or of the queue. Its condition becomes
// true before its sleeper is signalled. The worker checks the condition between the last signal
// that it took and its sleep, and a signal is kept until it is taken.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "blocking_pool.h"
#include "lib/base/support/fork_generation.h"
#include "lib/base/support/logging.h"
#include "sleeper.h"
#include "task_deque.h"
#include "task_list.h"
#include "tfrt/support/os_thread.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/support/yield_point.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {
namespace {

// A worker without work looks for some this often before it parks. First it keeps its processor,
// for half a millisecond or so: what comes next is often the next layer of a model, long before a
// sleeping thread would wake up, and where other programs run, one that yields does not come back
// for milliseconds. Then it yields; and it yields all the time while there is no unfinished task,
// because whoever waits for the results of those before may need the processor. So often it looks
// whether there is one: each look takes the count out of the cache of those who add tasks.
constexpr int kPausingLooks = 1000;
constexpr int kLooksPerCount = 16;
constexpr int kPausesPerLook = 16;
constexpr int kYieldingLooks = 64;
// How often a thief must see the same task alone before it takes it, and how often the watcher
// looks.
constexpr int kLooksAtLoneTask = 8;
// A thief whose last stolen task was short steals again when it has seen a victim where it was this
// often, or when it has left it alone for this long.
constexpr int kLooksAtBusyVictim = 4;
constexpr std::chrono::microseconds kLeftAlone{50};
constexpr std::chrono::nanoseconds kShortTask{1000};
constexpr std::chrono::microseconds kWatchInterval{100};
constexpr int kWatchLooks = 100;

// A worker takes its own newest task next, but every so often what has waited longest: tasks that
// go on without end, each adding the next one, leave room for others so.
constexpr uint32_t kTasksPerOldOne = 61;

// How often, and after which time, the first worker's thread is asked for.
constexpr int kTriesForTheFirstWorker = 1000;
constexpr std::chrono::milliseconds kWaitForTheFirstWorker{10};

using internal::BlockingPool;
using internal::Sleeper;
using internal::Task;

// Lets the processor rest for some cycles.
inline void Pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

bool AllAvailable(std::span<AsyncValue* const> values) {
  return std::all_of(values.begin(), values.end(),
                     [](AsyncValue* value) { return value->IsAvailable(); });
}

// A worker whose deque is full runs what it adds at once, but not deeper on its stack than this.
constexpr int kMaxTasksOnStack = 100;

class MultiThreadedWorkQueue : public ConcurrentWorkQueue {
 public:
  MultiThreadedWorkQueue(int num_threads, int num_blocking_threads)
      : num_blocking_threads_(num_blocking_threads),
        workers_(num_threads),
        pausing_looks_(static_cast<unsigned>(num_threads) <= std::thread::hardware_concurrency()
                           ? kPausingLooks
                           : 0),
        blocking_pool_(num_blocking_threads) {
    for (Worker& worker : workers_) {
      worker.seen.resize(workers_.size());
      worker.busy.resize(workers_.size());
    }
  }
  ~MultiThreadedWorkQueue() override;

  std::string name() const override {
    return StrCat("Multi-threaded C++ work queue (", workers_.size(), " threads, ",
                  num_blocking_threads_, " blocking threads)");
  }
  void AddTask(TaskFunction task) override;
  void AddForkedTask(TaskFunction task) override;
  std::optional<TaskFunction> AddBlockingTask(TaskFunction task, bool allow_queuing) override;
  void Await(std::span<AsyncValue* const> values) override;
  void Quiesce() override;
  // relaxed: as in AddTask.
  void AddTicket() override { pending_.fetch_add(1, std::memory_order_relaxed); }
  void EndTicket(TaskFunction task) override;
  int GetParallelismLevel() const override { return static_cast<int>(workers_.size()); }
  bool IsInWorkerThread() const override { return current_queue == this; }
  bool RecordsTasks() const override { return true; }

 private:
  // The state of one victim, as a thief has seen it.
  struct LoneTask {
    int64_t top = -1;
    int num_looks = 0;
  };
  struct BusyVictim {
    int64_t bottom = -1;
    int num_looks = 0;  // at this bottom
    std::chrono::steady_clock::time_point left_alone_since;
  };
  struct Worker {
    internal::TaskDeque<Task> deque;
    OsThread thread;
    // Where in the deque the newest forked task is or was, or would have been if the deque had not
    // been full. Another task may come to the same place, when the worker has taken that one back
    // or has run it at once: it is then moved to a thief's thread, once.
    std::atomic<int64_t> forked{-1};
    // The worker's own: by victim, and whether the last task that it stole was short.
    std::vector<LoneTask> seen;
    std::vector<BusyVictim> busy;
    bool steals_short_tasks = false;
    uint32_t num_searches = 0;
    // Shared with the waiters of awaited values, which may signal when the queue is gone.
    const std::shared_ptr<Sleeper> sleeper = std::make_shared<Sleeper>();
  };
  // Parked workers, guarded by park_mutex_.
  using SleeperList = std::vector<Sleeper*>;

  // Holds the results of FindTask beside the task.
  struct Search {
    bool is_stolen = false;
    bool left_tasks = false;  // to others, for now
  };

  void RunWorker(size_t index);
  template <typename Done, typename BeforeSleep>
  void WorkUntil(SleeperList* list, Done&& done, BeforeSleep&& before_sleep);
  Task* FindTask(size_t index, Search* search);
  bool GetsOnByItself(Worker& thief, size_t victim, const internal::TaskDeque<Task>::View& view);
  Task* RecordSteal(Task* task, size_t victim) {
    tracing::RecordEvent(kStealRecord, [this] { return records().NameOf(*this); }, {}, victim);
    return task;
  }
  Task* FindLoneTask(size_t index);
  enum class Kind { kPlain, kForked };
  template <Kind kKind>
  void Push(TaskFunction&& function);
  template <Kind kKind>
  [[gnu::noinline]] void AddRecorded(TaskFunction&& function);
  void AddExternal(Task* task);
  Task* TakeExternal();
  // Whether a deque holds tasks that thieves take at once, or the external queue holds any.
  bool HasTaskForOthers() const;
  // Whether there is any task, one that is alone in its worker's deque included.
  bool HasTask() const;
  static bool IsForOthers(const Worker& worker, const internal::TaskDeque<Task>::View& view) {
    // relaxed: whoever sees the task in the deque sees what its worker wrote before.
    return view.size >= 2 ||
           (view.size == 1 && worker.forked.load(std::memory_order_relaxed) == view.top);
  }
  template <typename Done>
  bool Park(SleeperList* list, Done&& done);
  bool Watch(Sleeper* sleeper);
  void WakeOne();
  Sleeper* TakeParked(SleeperList* list);
  void WakeForTask(bool is_lone);
  void HandOnSearch();
  bool AllStarted() const;
  // False if there is no further worker, or no thread for it.
  bool StartWorkerIfUseful();
  void RunHere(Task* task);
  void RunStolen(Task* task);
  void TaskDone();
  bool UncountTask();
  void QuiesceInTask(int tasks_on_this_stack);
  void WakeQuiescing();

  static thread_local MultiThreadedWorkQueue* current_queue;
  static thread_local size_t current_index;
  // Tasks on this worker's stack, and how many of them are counted in quiescing_tasks_.
  static thread_local int tasks_on_stack;
  static thread_local int quiescing_on_stack;

  const int num_blocking_threads_;
  const uint32_t fork_generation_ = ForkGeneration();
  std::vector<Worker> workers_;
  // None if there are more workers than processors: then it is others' work that waits for them.
  const int pausing_looks_;

  // Threads are started one by one, while tasks find nobody to run them.
  std::atomic<size_t> num_started_{0};
  std::mutex start_mutex_;

  std::mutex external_mutex_;
  std::deque<Task*> external_tasks_;
  std::atomic<size_t> num_external_{0};

  std::atomic<int> parked_{0};
  std::atomic<bool> has_watcher_{false};
  std::mutex park_mutex_;
  SleeperList idle_;      // at the bottom of their stacks
  SleeperList awaiting_;  // inside of Await or Quiesce
  std::atomic<bool> stopping_{false};

  // Tasks, blocking ones too, that were added and have not finished, and tickets.
  std::atomic<int64_t> pending_{0};
  // Tasks that are inside Quiesce or below such a task on a worker's stack: they cannot finish
  // before it returns.
  std::atomic<int64_t> quiescing_tasks_{0};
  std::mutex quiesce_mutex_;
  std::condition_variable quiescent_;  // for threads that are not workers
  SleeperList quiescing_workers_;      // guarded by quiesce_mutex_

  BlockingPool blocking_pool_;
};

thread_local MultiThreadedWorkQueue* MultiThreadedWorkQueue::current_queue = nullptr;
thread_local size_t MultiThreadedWorkQueue::current_index = 0;
thread_local int MultiThreadedWorkQueue::tasks_on_stack = 0;
thread_local int MultiThreadedWorkQueue::quiescing_on_stack = 0;

MultiThreadedWorkQueue::~MultiThreadedWorkQueue() {
  Quiesce();
  // seq_cst: as with tasks, either a worker sees it or is seen in the list.
  stopping_.store(true, std::memory_order_seq_cst);
  {
    std::lock_guard lock(park_mutex_);
    for (Sleeper* sleeper : idle_) sleeper->Signal();
  }
  for (Worker& worker : workers_) {
    if (worker.thread.joinable()) worker.thread.Join();
  }
}

// Inline: tickets shall cost other tasks nothing.
[[gnu::always_inline]] inline void MultiThreadedWorkQueue::AddExternal(Task* task) {
  std::lock_guard lock(external_mutex_);
  external_tasks_.push_back(task);
  num_external_.fetch_add(1, std::memory_order_seq_cst);
}

void MultiThreadedWorkQueue::AddTask(TaskFunction function) {
  if (tracing::IsRecording()) [[unlikely]]
    return AddRecorded<Kind::kPlain>(std::move(function));
  Push<Kind::kPlain>(std::move(function));
}

void MultiThreadedWorkQueue::AddForkedTask(TaskFunction function) {
  if (tracing::IsRecording()) [[unlikely]]
    return AddRecorded<Kind::kForked>(std::move(function));
  Push<Kind::kForked>(std::move(function));
}

// Apart, so that AddTask needs no frame for it.
template <MultiThreadedWorkQueue::Kind kKind>
void MultiThreadedWorkQueue::AddRecorded(TaskFunction&& function) {
  if (!function.records_itself()) function = internal::RecordedTask(*this, std::move(function));
  Push<kKind>(std::move(function));
}

template <MultiThreadedWorkQueue::Kind kKind>
[[gnu::always_inline]] inline void MultiThreadedWorkQueue::Push(TaskFunction&& function) {
  // relaxed: the count is read after the task's own effects are ordered by the queue.
  pending_.fetch_add(1, std::memory_order_relaxed);
  Task* task = function.release();
  bool is_lone = false;
  if constexpr (kKind == Kind::kForked) {
    // relaxed: published with the task.
    if (current_queue == this) {
      Worker& worker = workers_[current_index];
      worker.forked.store(worker.deque.next_place(), std::memory_order_relaxed);
    }
  }
  if (current_queue == this && workers_[current_index].deque.Push(task)) {
    if constexpr (kKind == Kind::kPlain) {
      is_lone = workers_[current_index].deque.Look().size == 1;
    }
  } else if (current_queue == this && tasks_on_stack < kMaxTasksOnStack) {
    return RunHere(task);  // the deque is full
  } else {
    AddExternal(task);
  }
  WakeForTask(is_lone);
}

// After a task has been published.
void MultiThreadedWorkQueue::WakeForTask(bool is_lone) {
  if (parked_.load(std::memory_order_seq_cst) > 0) {
    if (!is_lone || !has_watcher_.load(std::memory_order_seq_cst)) WakeOne();
  } else {
    StartWorkerIfUseful();
  }
}

void MultiThreadedWorkQueue::EndTicket(TaskFunction function) {
  if (function) {
    if (tracing::IsRecording()) [[unlikely]]
      function = internal::RecordedTask(*this, std::move(function));
    // Counted beside the ticket: that keeps the queue until this thread has done with it.
    pending_.fetch_add(1, std::memory_order_relaxed);
    AddExternal(function.release());
    TFRT_YIELD_POINT(ticket_task_added);
    WakeForTask(/*is_lone=*/false);
  }
  std::lock_guard lock(quiesce_mutex_);
  if (UncountTask()) WakeQuiescing();
}

// relaxed: the count only grows, under start_mutex_.
bool MultiThreadedWorkQueue::AllStarted() const {
  return num_started_.load(std::memory_order_relaxed) == workers_.size();
}

bool MultiThreadedWorkQueue::StartWorkerIfUseful() {
  if (AllStarted()) return false;
  for (int tries = 0;; ++tries) {
    {
      std::lock_guard lock(start_mutex_);
      size_t index = num_started_.load(std::memory_order_relaxed);
      if (index == workers_.size()) return false;
      if (workers_[index].thread.Start([this, index] { RunWorker(index); })) {
        num_started_.store(index + 1, std::memory_order_relaxed);
        return true;
      }
      // Where the system has no thread to give, those that there are do the work, and the next task
      // that finds them busy tries again. The first one is needed.
      if (index > 0) return false;
    }
    if (tries == kTriesForTheFirstWorker) {
      TFRT_LOG(FATAL) << "the system has no thread for the first worker of a work queue";
    }
    std::this_thread::sleep_for(kWaitForTheFirstWorker);
  }
}

// True if those who quiesce must look again. Whoever sees zero sees everything that all tasks did.
// seq_cst: this task and one that begins to quiesce must not both miss the other's count.
bool MultiThreadedWorkQueue::UncountTask() {
  int64_t left = pending_.fetch_sub(1, std::memory_order_seq_cst) - 1;
  return left <= quiescing_tasks_.load(std::memory_order_seq_cst);
}

void MultiThreadedWorkQueue::TaskDone() {
  if (UncountTask()) {
    TFRT_YIELD_POINT(task_uncounted);
    std::lock_guard lock(quiesce_mutex_);
    WakeQuiescing();
  }
}

// Under quiesce_mutex_, so that the signal cannot fall between a waiter's look and its sleep.
void MultiThreadedWorkQueue::WakeQuiescing() {
  quiescent_.notify_all();
  for (Sleeper* sleeper : quiescing_workers_) sleeper->Signal();
}

std::optional<TaskFunction> MultiThreadedWorkQueue::AddBlockingTask(TaskFunction task,
                                                                    bool allow_queuing) {
  pending_.fetch_add(1, std::memory_order_relaxed);
  // The task stays in a box, so that it can be handed back without the wrapper.
  auto box = std::make_shared<TaskFunction>(std::move(task));
  auto rejected = blocking_pool_.Add(
      [this, box, record = internal::TaskRecord(*this)]() mutable {
        record.Run(*box);
        box.reset();
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

bool MultiThreadedWorkQueue::HasTaskForOthers() const {
  if (num_external_.load(std::memory_order_seq_cst) != 0) return true;
  return std::any_of(workers_.begin(), workers_.end(), [&](const Worker& worker) {
    return IsForOthers(worker, worker.deque.Look());
  });
}

bool MultiThreadedWorkQueue::HasTask() const {
  if (num_external_.load(std::memory_order_seq_cst) != 0) return true;
  return std::any_of(workers_.begin(), workers_.end(),
                     [&](const Worker& worker) { return worker.deque.Look().size >= 1; });
}

Task* MultiThreadedWorkQueue::FindTask(size_t index, Search* search) {
  *search = {};
  if (const uint32_t searches = ++workers_[index].num_searches; searches % kTasksPerOldOne == 0)
      [[unlikely]] {
    // In turns, so that neither starves beside the other.
    const bool is_own_first = searches / kTasksPerOldOne % 2 == 0;
    if (Task* task = is_own_first ? workers_[index].deque.Steal() : TakeExternal()) return task;
    if (Task* task = is_own_first ? TakeExternal() : workers_[index].deque.Steal()) return task;
  }
  if (Task* task = workers_[index].deque.Pop()) return task;
  if (Task* task = TakeExternal()) return task;
  search->is_stolen = true;
  for (size_t i = 1; i < workers_.size(); ++i) {
    size_t victim = (index + i) % workers_.size();
    internal::TaskDeque<Task>& deque = workers_[victim].deque;
    internal::TaskDeque<Task>::View view = deque.Look();
    if (!IsForOthers(workers_[victim], view)) continue;
    if (view.size > 1 && GetsOnByItself(workers_[index], victim, view)) {
      search->left_tasks = true;
      continue;
    }
    if (Task* task = deque.Steal()) return RecordSteal(task, victim);
  }
  return nullptr;
}

// True if `thief` shall leave the victim's tasks to it: they are short as far as it knows, and the
// victim has taken or added one since it looked last.
bool MultiThreadedWorkQueue::GetsOnByItself(Worker& thief, size_t victim,
                                            const internal::TaskDeque<Task>::View& view) {
  if (!thief.steals_short_tasks) return false;
  BusyVictim& busy = thief.busy[victim];
  const auto now = std::chrono::steady_clock::now();
  if (busy.bottom < 0) busy.left_alone_since = now;
  if (int64_t bottom = view.top + view.size; busy.bottom != bottom) {
    busy.bottom = bottom;
    busy.num_looks = 0;
  }
  if (++busy.num_looks <= kLooksAtBusyVictim && now - busy.left_alone_since < kLeftAlone) {
    return true;
  }
  busy = {};
  return false;
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
      if (Task* task = workers_[victim].deque.Steal()) return RecordSteal(task, victim);
    }
  }
  return nullptr;
}

void MultiThreadedWorkQueue::WakeOne() {
  // A new worker comes before one that awaits, which goes on later then; it may be refused.
  Sleeper* woken = TakeParked(&idle_);
  if (!woken && (AllStarted() || !StartWorkerIfUseful())) woken = TakeParked(&awaiting_);
  if (woken) woken->Signal();
}

Sleeper* MultiThreadedWorkQueue::TakeParked(SleeperList* list) {
  std::lock_guard lock(park_mutex_);
  if (list->empty()) return nullptr;
  Sleeper* sleeper = list->back();
  list->pop_back();
  return sleeper;
}

// Passes the search on: called by a worker that others relied upon to look for tasks, and that has
// other work.
void MultiThreadedWorkQueue::HandOnSearch() {
  bool has_others = parked_.load(std::memory_order_seq_cst) > 0 || !AllStarted();
  if (has_others && HasTask()) WakeOne();
}

// Sleeps until there may be a task, or until done() may be true. True if others rely upon this
// worker to look for tasks.
template <typename Done>
bool MultiThreadedWorkQueue::Park(SleeperList* list, Done&& done) {
  Sleeper* sleeper = workers_[current_index].sleeper.get();
  {
    std::lock_guard lock(park_mutex_);
    list->push_back(sleeper);
    parked_.fetch_add(1, std::memory_order_seq_cst);
  }
  bool watches = false;
  if (!done() && !HasTaskForOthers()) {
    watches = workers_.size() > 1 && !has_watcher_.exchange(true, std::memory_order_seq_cst);
    bool found = false;
    if (watches) {
      found = Watch(sleeper);
      has_watcher_.store(false, std::memory_order_seq_cst);
      // A task may have been added while this was still the watcher.
      found = found || HasTask();
    }
    if (!found) sleeper->Wait();
  }
  std::lock_guard lock(park_mutex_);
  parked_.fetch_sub(1, std::memory_order_seq_cst);
  bool was_woken = std::erase(*list, sleeper) == 0;
  return was_woken || watches;
}

// Sleeps while other workers run, but looks for tasks that are left alone. True if there is
// something to do; false if all workers are parked, or if there has been nothing for long.
bool MultiThreadedWorkQueue::Watch(Sleeper* sleeper) {
  for (int look = 0; look < kWatchLooks; ++look) {
    if (static_cast<size_t>(parked_.load(std::memory_order_seq_cst)) >=
        num_started_.load(std::memory_order_relaxed)) {
      break;
    }
    if (sleeper->WaitFor(kWatchInterval) || HasTask()) return true;
  }
  return false;
}

// Runs tasks until done(), and parks, in `list`, while there is none. Calls before_sleep() first;
// whatever makes done() true afterwards must signal the worker's sleeper.
template <typename Done, typename BeforeSleep>
void MultiThreadedWorkQueue::WorkUntil(SleeperList* list, Done&& done, BeforeSleep&& before_sleep) {
  const size_t index = current_index;
  bool is_relied_upon = false;
  while (!done()) {
    Search search;
    Task* task = FindTask(index, &search);
    // It stays awake beside tasks that it leaves to others: those may be about to take a long one.
    const int looks = pausing_looks_ + kYieldingLooks;
    bool keeps_processor = false;
    for (int look = 0; !task && look < looks; look = search.left_tasks ? 0 : look + 1) {
      if (look % kLooksPerCount == 0 && !search.left_tasks) {
        // relaxed: a hint.
        keeps_processor = look < pausing_looks_ && pending_.load(std::memory_order_relaxed) != 0;
      }
      if (keeps_processor) {
        for (int i = 0; i < kPausesPerLook; ++i) Pause();
      } else {
        std::this_thread::yield();
      }
      if (done()) break;
      task = FindTask(index, &search);
      if (!task) task = FindLoneTask(index);
    }
    if (task) {
      if (std::exchange(is_relied_upon, false)) HandOnSearch();
      if (search.is_stolen) {
        RunStolen(task);
      } else {
        RunHere(task);
      }
    } else if (!done()) {
      before_sleep();
      tracing::RecordScope idle(kIdleRecord, [this] { return records().NameOf(*this); });
      is_relied_upon = Park(list, done);
    }
  }
  if (is_relied_upon) HandOnSearch();
}

void MultiThreadedWorkQueue::RunWorker(size_t index) {
#if defined(__linux__)
  pthread_setname_np(pthread_self(), "tfrt_worker");  // else that of the thread that started it
#endif
  current_queue = this;
  current_index = index;
  WorkUntil(&idle_, [this] { return stopping_.load(std::memory_order_seq_cst); }, [] {});
}

void MultiThreadedWorkQueue::RunHere(Task* task) {
  ++tasks_on_stack;
  task->Run();
  --tasks_on_stack;
  TaskDone();
}

void MultiThreadedWorkQueue::RunStolen(Task* task) {
  auto begin = std::chrono::steady_clock::now();
  RunHere(task);
  // Read after the task, which may have run others on top.
  bool was_short = std::chrono::steady_clock::now() - begin < kShortTask;
  workers_[current_index].steals_short_tasks = was_short;
}

void MultiThreadedWorkQueue::Await(std::span<AsyncValue* const> values) {
  if (AllAvailable(values)) return;
  AwaitScope scope;
  auto signal_when_ready = [&](std::shared_ptr<Sleeper> sleeper) {
    RunWhenReady(values, [sleeper = std::move(sleeper)] { sleeper->Signal(); });
  };
  if (current_queue == this) {
    // A worker that only slept here could be the one that has to run the producer.
    bool will_be_signaled = false;
    return WorkUntil(
        &awaiting_, [&] { return AllAvailable(values); },
        [&] {
          if (std::exchange(will_be_signaled, true)) return;
          signal_when_ready(workers_[current_index].sleeper);
        });
  }
  if (fork_generation_ != ForkGeneration()) {
    TFRT_LOG(FATAL)
        << "a work queue is waited for in a process that was forked from its own, whose "
           "threads are not here";
  }
  BlockingPool::Waiting waiting(&blocking_pool_);
  tracing::RecordScope stall(kAwaitRecord, [this] { return records().NameOf(*this); });
  auto sleeper = std::make_shared<Sleeper>();
  signal_when_ready(sleeper);
  sleeper->Wait();
}

void MultiThreadedWorkQueue::Quiesce() {
  AwaitScope scope;
  if (current_queue == this) {
    int added = tasks_on_stack - quiescing_on_stack;
    quiescing_on_stack += added;
    QuiesceInTask(added);
    quiescing_on_stack -= added;
  } else if (blocking_pool_.IsInPool()) {
    QuiesceInTask(1);
  } else {
    std::unique_lock lock(quiesce_mutex_);
    // acquire: sees what the tasks did.
    quiescent_.wait(lock, [&] { return pending_.load(std::memory_order_acquire) == 0; });
  }
}

// The calling thread has `tasks_on_this_stack` tasks that are not counted in quiescing_tasks_ yet.
void MultiThreadedWorkQueue::QuiesceInTask(int tasks_on_this_stack) {
  Sleeper* worker = current_queue == this ? workers_[current_index].sleeper.get() : nullptr;
  BlockingPool::Waiting waiting(&blocking_pool_);
  // seq_cst: see TaskDone.
  auto quiet = [&] {
    return pending_.load(std::memory_order_seq_cst) <=
           quiescing_tasks_.load(std::memory_order_seq_cst);
  };
  std::unique_lock lock(quiesce_mutex_);
  quiescing_tasks_.fetch_add(tasks_on_this_stack, std::memory_order_seq_cst);
  WakeQuiescing();  // others may have waited for these tasks
  if (worker) {
    quiescing_workers_.push_back(worker);
    lock.unlock();
    WorkUntil(&awaiting_, quiet, [] {});
    lock.lock();
    // Once for each call on this stack.
    quiescing_workers_.erase(std::ranges::find(quiescing_workers_, worker));
  } else {
    quiescent_.wait(lock, quiet);
  }
  quiescing_tasks_.fetch_sub(tasks_on_this_stack, std::memory_order_seq_cst);
}

}  // namespace

std::unique_ptr<ConcurrentWorkQueue> CreateMultiThreadedWorkQueue(int num_threads,
                                                                  int num_blocking_threads) {
  return std::make_unique<MultiThreadedWorkQueue>(num_threads, num_blocking_threads);
}

}  // namespace tfrt
