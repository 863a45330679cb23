#include "task_capture.h"

#include "tfrt/host_context/enqueue.h"

namespace tfrt::internal {

namespace {
thread_local constinit TaskCapture* innermost_capture = nullptr;
}  // namespace

void EnqueueTask(const ExecutionContext& exec_ctx, TaskFunction task) {
  TaskCapture* capture = innermost_capture;
  while (capture && capture->queue_ != &exec_ctx.work_queue()) [[unlikely]] {
    capture = capture->outer_;
  }
  if (capture) [[unlikely]] {
    if (tracing::IsRecording()) [[unlikely]]
      task = CarryContext(std::move(task));
    capture->tasks_.push_back(std::move(task));
  } else {
    AddTaskTo(exec_ctx.work_queue(), std::move(task));
  }
}

TaskCapture::TaskCapture(const ExecutionContext& exec_ctx)
    : queue_(&exec_ctx.work_queue()), outer_(std::exchange(innermost_capture, this)) {}

void TaskCapture::RunAll() {
  innermost_capture = outer_;
  for (TaskFunction& task : tasks_) task.CallAndReset();
}

}  // namespace tfrt::internal
