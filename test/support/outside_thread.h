// A thread that belongs to no work queue, for tests of values that others resolve.
#ifndef TFRT_TEST_SUPPORT_OUTSIDE_THREAD_H_
#define TFRT_TEST_SUPPORT_OUTSIDE_THREAD_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

#include "tfrt/host_context/host_context.h"
#include "tfrt/support/task_function.h"

namespace tfrt {

// Runs what it is given in order, unless somebody else is quicker: any thread may take the oldest
// task by RunOne. Thread-safe.
class OutsideThread {
 public:
  // The process's one, which is never destroyed.
  static OutsideThread& Get();

  void Add(TaskFunction task);
  // Runs the oldest task on the calling thread. False if there is none.
  bool RunOne();
  // Returns when neither this thread nor the host's queue has anything left to do. A queue counts
  // its own tasks only, so a host must not be destroyed before. Not for callers in a task.
  void Settle(HostContext& host);

 private:
  OutsideThread();
  void Drain();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<TaskFunction> tasks_;
  uint64_t num_added_ = 0;
  uint64_t num_done_ = 0;
};

}  // namespace tfrt

#endif  // TFRT_TEST_SUPPORT_OUTSIDE_THREAD_H_
