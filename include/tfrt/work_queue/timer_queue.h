// TimerQueue: runs callbacks at points of the monotonic clock, on one thread that starts when first
// needed.
#ifndef TFRT_WORK_QUEUE_TIMER_QUEUE_H_
#define TFRT_WORK_QUEUE_TIMER_QUEUE_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "tfrt/support/os_thread.h"
#include "tfrt/support/task_function.h"

namespace tfrt {

// Thread-safe. Callbacks should be short. Destruction drops the timers that have not fired. So a
// promise that others wait for must not be owned by a callback alone.
class TimerQueue {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  using TimerId = uint64_t;

  TimerQueue() = default;
  TimerQueue(const TimerQueue&) = delete;
  TimerQueue& operator=(const TimerQueue&) = delete;
  ~TimerQueue();

  TimerId ScheduleTimer(TimePoint deadline, TaskFunction callback);
  // Returns true if the callback will not run. Otherwise it has run, is running, or was cancelled
  // before.
  bool CancelTimer(TimerId id);

  // Drops the timers that have not fired and waits for a running callback. Timers scheduled later
  // are dropped too. Must not be called from a callback.
  void Stop();

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<TimePoint, TimerId>, TaskFunction> timers_;
  std::map<TimerId, TimePoint> deadlines_;
  TimerId next_id_ = 1;
  bool stopping_ = false;
  OsThread thread_;
};

}  // namespace tfrt

#endif  // TFRT_WORK_QUEUE_TIMER_QUEUE_H_
