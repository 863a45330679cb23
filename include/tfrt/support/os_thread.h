// OsThread: a thread of the system, whose start may fail.
#ifndef TFRT_SUPPORT_OS_THREAD_H_
#define TFRT_SUPPORT_OS_THREAD_H_

#include <pthread.h>

#include <cassert>
#include <memory>
#include <utility>

#include "tfrt/support/task_function.h"

namespace tfrt {

// As std::thread, except that a failed start is reported: std::thread ends the program if the
// system cannot create a thread. Limits of the user (RLIMIT_NPROC), of the container, or of memory
// cause that. Not thread-safe.
class OsThread {
 public:
  OsThread() = default;
  OsThread(const OsThread&) = delete;
  OsThread& operator=(const OsThread&) = delete;
  ~OsThread() { assert(!joinable() && "Join comes before the end"); }

  // Runs the function on a new thread, until it returns. Returns false, without any effect, if no
  // thread could be created. Must not be called while joinable().
  [[nodiscard]] bool Start(TaskFunction run) {
    assert(!joinable());
    auto boxed = std::make_unique<TaskFunction>(std::move(run));
    auto main = [](void* boxed) -> void* {
      std::unique_ptr<TaskFunction>(static_cast<TaskFunction*>(boxed))->CallAndReset();
      return nullptr;
    };
    if (pthread_create(&thread_, nullptr, main, boxed.get()) != 0) return false;
    (void)boxed.release();  // owned by the thread now
    is_joinable_ = true;
    return true;
  }
  // Returns whether a thread was started and not joined.
  bool joinable() const { return is_joinable_; }
  // Waits for the thread's end. Must not be called on the thread itself.
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
