// OsThread: a thread of the system that may be refused.
#ifndef TFRT_SUPPORT_OS_THREAD_H_
#define TFRT_SUPPORT_OS_THREAD_H_

#include <pthread.h>

#include <cassert>
#include <memory>
#include <utility>

#include "tfrt/support/task_function.h"

namespace tfrt {

// As std::thread, which ends the program where the system has no thread left to give: by a limit of
// the user (RLIMIT_NPROC), of the container, or of memory. Not thread-safe.
class OsThread {
 public:
  OsThread() = default;
  OsThread(const OsThread&) = delete;
  OsThread& operator=(const OsThread&) = delete;
  ~OsThread() { assert(!joinable() && "Join comes before the end"); }

  // Runs the function on a new thread, until it returns. False if there is none: nothing has
  // happened then. Not while joinable().
  [[nodiscard]] bool Start(TaskFunction run) {
    assert(!joinable());
    auto boxed = std::make_unique<TaskFunction>(std::move(run));
    auto main = [](void* boxed) -> void* {
      std::unique_ptr<TaskFunction>(static_cast<TaskFunction*>(boxed))->CallAndReset();
      return nullptr;
    };
    if (pthread_create(&thread_, nullptr, main, boxed.get()) != 0) return false;
    (void)boxed.release();  // the thread's now
    is_joinable_ = true;
    return true;
  }
  // Whether a thread was started and not joined.
  bool joinable() const { return is_joinable_; }
  // Waits for the thread's end. Not on the thread itself.
  void Join() {
    assert(joinable());
    pthread_join(thread_, nullptr);
    is_joinable_ = false;
  }

 private:
  pthread_t thread_{};
  bool is_joinable_ = false;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_OS_THREAD_H_
