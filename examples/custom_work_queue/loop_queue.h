// A work queue of one's own: one that runs on the threads a program has already.
#ifndef LOOP_QUEUE_H_
#define LOOP_QUEUE_H_

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "tfrt/work_queue/concurrent_work_queue.h"

// Has no threads for tasks: the program's event loop calls RunOne() when it has time, and who waits
// in Await or Quiesce helps. Blocking tasks get a thread each.
class LoopQueue : public tfrt::ConcurrentWorkQueue {
 public:
  ~LoopQueue() override { Quiesce(); }
  std::string name() const override { return "event loop"; }

  void AddTask(tfrt::TaskFunction task) override {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    ++num_unfinished_;
    changed_.notify_all();
  }
  std::optional<tfrt::TaskFunction> AddBlockingTask(tfrt::TaskFunction task, bool) override {
    std::lock_guard lock(mutex_);
    ++num_unfinished_;
    std::thread([this, task = std::move(task)]() mutable { Run(std::move(task)); }).detach();
    return std::nullopt;
  }

  void Await(std::span<tfrt::AsyncValue* const> values) override {
    tfrt::AwaitScope scope;  // as this thread waits
    // Shared: the callback may end after this call.
    auto ready = std::make_shared<bool>(false);
    tfrt::RunWhenReady(values, [this, ready] {
      std::lock_guard lock(mutex_);
      *ready = true;
      changed_.notify_all();
    });
    RunUntil([&] { return *ready; });
  }
  // A task may call it: then it, the tasks below it on its thread's stack, and others that quiesce
  // are not waited for.
  void Quiesce() override {
    tfrt::AwaitScope scope;
    auto found = stacks_.find(this);
    if (found == stacks_.end()) return RunUntil([&] { return num_unfinished_ == 0; });
    Stack& stack = found->second;  // stays: a task of this queue runs below
    int added = stack.running - stack.quiescing;
    auto add = [&](int count) {
      std::lock_guard lock(mutex_);
      stack.quiescing += count;
      num_quiescing_ += count;
      changed_.notify_all();
    };
    add(added);
    RunUntil([&] { return num_unfinished_ == num_quiescing_; });
    add(-added);
  }
  // A ticket is a task whose function comes later.
  void AddTicket() override {
    std::lock_guard lock(mutex_);
    ++num_unfinished_;
  }
  void EndTicket(tfrt::TaskFunction task) override {
    // Under the lock to the end: Quiesce may be followed by the destructor.
    std::lock_guard lock(mutex_);
    if (task) {
      tasks_.push_back(std::move(task));
    } else {
      --num_unfinished_;
    }
    changed_.notify_all();
  }
  int GetParallelismLevel() const override { return 1; }
  bool IsInWorkerThread() const override { return false; }

  // What the event loop calls. False if there is nothing to do now.
  bool RunOne() {
    tfrt::TaskFunction task;
    {
      std::lock_guard lock(mutex_);
      if (tasks_.empty()) return false;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    Run(std::move(task));
    return true;
  }

 private:
  void Run(tfrt::TaskFunction task) {
    ++stacks_[this].running;
    task.CallAndReset();
    if (--stacks_[this].running == 0) stacks_.erase(this);
    // Under the lock to the end: Quiesce may be followed by the destructor.
    std::lock_guard lock(mutex_);
    --num_unfinished_;
    changed_.notify_all();
  }
  // `done` is called under the lock.
  template <typename Done>
  void RunUntil(Done&& done) {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return done() || !tasks_.empty(); });
        if (done()) return;
      }
      RunOne();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<tfrt::TaskFunction> tasks_;
  int num_unfinished_ = 0;  // tasks waiting or running, and tickets
  int num_quiescing_ = 0;   // of these, those inside Quiesce
  // Tasks on this thread's stack, and those of them that are counted in num_quiescing_, by queue.
  struct Stack {
    int running = 0;
    int quiescing = 0;
  };
  static inline thread_local std::map<const LoopQueue*, Stack> stacks_;
};

#endif  // LOOP_QUEUE_H_
