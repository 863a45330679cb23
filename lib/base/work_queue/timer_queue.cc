#include "tfrt/work_queue/timer_queue.h"

#include "lib/base/support/logging.h"

namespace tfrt {

TimerQueue::~TimerQueue() { Stop(); }

void TimerQueue::Stop() {
  std::map<std::pair<TimePoint, TimerId>, TaskFunction> dropped;  // destroyed without the lock
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(timers_);
    deadlines_.clear();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.Join();
}

TimerQueue::TimerId TimerQueue::ScheduleTimer(TimePoint deadline, TaskFunction callback) {
  std::lock_guard lock(mutex_);
  if (stopping_) return next_id_++;
  if (!thread_.joinable() && !thread_.Start([this] { Run(); })) {
    TFRT_LOG(ERROR) << "the system has no thread for timers: they fire once a later one finds one";
  }
  TimerId id = next_id_++;
  auto timer = timers_.emplace(std::pair(deadline, id), std::move(callback)).first;
  deadlines_.emplace(id, deadline);
  // The thread sleeps until the first one's deadline.
  if (timer == timers_.begin()) changed_.notify_all();
  return id;
}

bool TimerQueue::CancelTimer(TimerId id) {
  TaskFunction callback;  // destroyed without the lock
  std::lock_guard lock(mutex_);
  auto found = deadlines_.find(id);
  if (found == deadlines_.end()) return false;
  auto timer = timers_.find({found->second, id});
  callback = std::move(timer->second);
  timers_.erase(timer);
  deadlines_.erase(found);
  return true;
}

void TimerQueue::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (timers_.empty()) {
      changed_.wait(lock);
      continue;
    }
    auto first = timers_.begin();
    TimePoint deadline = first->first.first;
    if (std::chrono::steady_clock::now() < deadline) {
      changed_.wait_until(lock, deadline);
      continue;
    }
    TaskFunction callback = std::move(first->second);
    deadlines_.erase(first->first.second);
    timers_.erase(first);
    lock.unlock();
    callback();
    callback.reset();
    lock.lock();
  }
}

}  // namespace tfrt
