#include "task_capture.h"

#include "tfrt/host_context/enqueue.h"

namespace tfrt::internal {

namespace {
thread_local constinit TaskCapture* innermost_capture = nullptr;
}  // namespace

void EnqueueTask(const ExecutionContext& exec_ctx, TaskFunction task) {
  if (innermost_capture) [[unlikely]] {
    if (tracing::IsRecording()) [[unlikely]] {
      task = [context = tracing::CurrentContext(), task = std::move(task)]() mutable {
        tracing::ContextScope scope(context);
        task.CallAndReset();
      };
    }
    innermost_capture->tasks_.push_back(std::move(task));
  } else {
    AddTaskTo(exec_ctx.work_queue(), std::move(task));
  }
}

TaskCapture::TaskCapture() : outer_(std::exchange(innermost_capture, this)) {}

void TaskCapture::RunAll() {
  innermost_capture = outer_;
  for (TaskFunction& task : tasks_) task.CallAndReset();
}

}  // namespace tfrt::internal
