// Sleeper: how one thread sleeps until another signals it.
#ifndef TFRT_LIB_BASE_WORK_QUEUE_SLEEPER_H_
#define TFRT_LIB_BASE_WORK_QUEUE_SLEEPER_H_

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace tfrt::internal {

// Belongs to one thread; only that thread waits. A signal is kept until the thread takes it, so
// none is lost between its last check and its sleep. Two signals may become one. A signal may also
// come late, for something that the thread has already seen. The thread must therefore check again
// after each wait.
class Sleeper {
 public:
  // Any thread. Whoever signals after what it signals has become visible keeps the sleeper alive.
  void Signal() {
    std::lock_guard lock(mutex_);
    signaled_ = true;
    changed_.notify_one();
  }
  // Returns when there is a signal, and takes it.
  void Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return signaled_; });
    signaled_ = false;
  }
  // The same, but gives up after `timeout`. True if there was a signal.
  bool WaitFor(std::chrono::microseconds timeout) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, timeout, [&] { return signaled_; })) return false;
    signaled_ = false;
    return true;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool signaled_ = false;  // guarded by mutex_
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_BASE_WORK_QUEUE_SLEEPER_H_
