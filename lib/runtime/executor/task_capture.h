// Where runs put their tasks: into the work queue, or in front of it.
#ifndef TFRT_LIB_RUNTIME_EXECUTOR_TASK_CAPTURE_H_
#define TFRT_LIB_RUNTIME_EXECUTOR_TASK_CAPTURE_H_

#include <vector>

#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/task_function.h"

namespace tfrt::internal {

// Adds a task to the context's queue, or to this thread's innermost TaskCapture of that queue.
void EnqueueTask(const ExecutionContext& exec_ctx, TaskFunction task);

// Collects the tasks that runs on this thread add to the context's queue, until RunAll runs them in
// order. They run as if they had been in the queue in place of the running task.
class TaskCapture {
 public:
  explicit TaskCapture(const ExecutionContext& exec_ctx);
  TaskCapture(const TaskCapture&) = delete;
  TaskCapture& operator=(const TaskCapture&) = delete;
  // Tasks that these add go where they would without this object. At most once.
  void RunAll();

 private:
  friend void EnqueueTask(const ExecutionContext& exec_ctx, TaskFunction task);
  ConcurrentWorkQueue* const queue_;
  TaskCapture* const outer_;
  std::vector<TaskFunction> tasks_;
};

}  // namespace tfrt::internal

#endif  // TFRT_LIB_RUNTIME_EXECUTOR_TASK_CAPTURE_H_
