#include "gil.h"

#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "tfrt/support/os_thread.h"

namespace tfrt::python {
namespace {

std::atomic<uint32_t> generation{0};
std::atomic<bool> ending{false};
// Threads between asking whether the interpreter ends and having the lock.
std::atomic<int> acquiring{0};
std::atomic<unsigned long> main_thread{0};

// True: the interpreter does not end before EndAcquire. seq_cst: either the thread sees `ending`,
// or who ends sees the thread.
bool BeginAcquire() {
  acquiring.fetch_add(1);
  if (!ending.load()) return true;
  acquiring.fetch_sub(1);
  return false;
}
void EndAcquire() { acquiring.fetch_sub(1); }

[[noreturn]] void SleepForEver() {
  for (;;) pause();
}

// Runs tasks with the lock. Never destroyed, but stopped: in a fork its thread is not there.
class TaskThread {
 public:
  void Add(std::function<void()> task) {
    std::lock_guard lock(mutex_);
    if (stopped_) {
      new std::function<void()>(std::move(task));  // leaked: what it holds needs the lock
      return;
    }
    tasks_.push_back(std::move(task));
    // Where the system has no thread left, the tasks wait for the next one that is added.
    if (!thread_.joinable()) (void)thread_.Start([this] { Run(); });
    changed_.notify_one();
  }

  // Without the lock.
  void Stop() {
    {
      std::lock_guard lock(mutex_);
      stopped_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.Join();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      auto* tasks = new std::deque<std::function<void()>>(std::move(tasks_));
      tasks_.clear();
      lock.unlock();
      if (GilAcquire gil; gil.ok()) {
        for (auto& task : *tasks) task();
        delete tasks;
      }
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;  // under mutex_
  OsThread thread_;                          // under mutex_
  bool stopped_ = false;                     // under mutex_
};

std::atomic<TaskThread*> task_thread{nullptr};

// Whether this thread has the lock. When the interpreter ends only the main thread can tell, until
// it has no state any more.
bool HasGil() {
  if (ending.load() && PyThread_get_thread_ident() != main_thread.load()) return false;
  return PyGILState_GetThisThreadState() != nullptr && PyGILState_Check();
}

}  // namespace

// relaxed: changes only in a process that has one thread.
uint32_t fork_generation() { return generation.load(std::memory_order_relaxed); }
bool IsEnding() { return ending.load(); }

GilRelease::~GilRelease() {
  if (BeginAcquire()) {
    PyEval_RestoreThread(state_);
    EndAcquire();
    return;
  }
  if (PyThread_get_thread_ident() != main_thread.load()) SleepForEver();
  PyEval_RestoreThread(state_);
}

GilAcquire::GilAcquire() {
  if (!BeginAcquire()) return;
  state_ = PyGILState_Ensure();
  EndAcquire();
  ok_ = true;
}

GilAcquire::~GilAcquire() {
  if (ok_) PyGILState_Release(state_);
}

void RunWithGilLater(std::function<void()> task) { task_thread.load()->Add(std::move(task)); }

void RunWithGil(std::function<void()> task) {
  if (HasGil()) return task();
  RunWithGilLater(std::move(task));
}

SharedObject::~SharedObject() {
  if (!object_) return;
  if (HasGil()) {
    Py_DECREF(object_);
  } else if (!IsEnding()) {
    RunWithGilLater([object = object_] { Py_DECREF(object); });
  }
}

void InitGil() {
  main_thread = PyThread_get_thread_ident();
  task_thread = new TaskThread();
}

void BeginEnd() {
  {
    GilRelease release;
    task_thread.load()->Stop();
  }
  main_thread = PyThread_get_thread_ident();
  ending = true;
  // Those that have asked before get the lock now.
  PyThreadState* state = PyEval_SaveThread();
  while (acquiring.load() > 0) std::this_thread::yield();
  PyEval_RestoreThread(state);
}

void AfterForkInChild() {
  generation.fetch_add(1);
  acquiring = 0;
  main_thread = PyThread_get_thread_ident();
  task_thread = new TaskThread();  // that of the parent is leaked: its thread is not here
}

}  // namespace tfrt::python
