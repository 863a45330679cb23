#include "test/support/outside_thread.h"

#include <thread>
#include <utility>

namespace tfrt {

OutsideThread& OutsideThread::Get() {
  static OutsideThread* thread = new OutsideThread;
  return *thread;
}

OutsideThread::OutsideThread() {
  std::thread([this] {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !tasks_.empty(); });
      }
      RunOne();
    }
  }).detach();
}

void OutsideThread::Add(TaskFunction task) {
  {
    std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    ++num_added_;
  }
  changed_.notify_all();
}

bool OutsideThread::RunOne() {
  {
    TaskFunction task;
    {
      std::lock_guard lock(mutex_);
      if (tasks_.empty()) return false;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
  }  // what the task held is gone, too, before it counts as done
  {
    std::lock_guard lock(mutex_);
    ++num_done_;
  }
  changed_.notify_all();
  return true;
}

void OutsideThread::Drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return num_done_ == num_added_; });
}

void OutsideThread::Settle(HostContext& host) {
  uint64_t num_added;
  bool is_settled;
  do {
    Drain();
    {
      std::lock_guard lock(mutex_);
      num_added = num_added_;
    }
    host.Quiesce();
    std::lock_guard lock(mutex_);
    is_settled = num_added_ == num_added && num_done_ == num_added;
  } while (!is_settled);
}

}  // namespace tfrt
