// Shorthands for kernels: put work into the queue, report errors.
#ifndef TFRT_HOST_CONTEXT_ENQUEUE_H_
#define TFRT_HOST_CONTEXT_ENQUEUE_H_

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/work_queue/concurrent_work_queue.h"

namespace tfrt {

namespace internal {
// A task that keeps its request. Its captures are destroyed first: when a request is destroyed, so
// are all captures of its tasks.
template <typename F>
struct RequestTask {
  RCReference<RequestContext> request;
  F fn;
  void operator()() { fn(); }
};
template <typename F>
RequestTask<std::decay_t<F>> ForRequest(const ExecutionContext& exec_ctx, F&& fn) {
  return {FormRef(exec_ctx.request_ctx()), std::forward<F>(fn)};
}

// Adds a task to the queue. While records are made, the task runs on behalf of the thread's current
// work.
template <typename F>
void AddTaskTo(ConcurrentWorkQueue& queue, F&& fn) {
  if (tracing::IsRecording()) [[unlikely]] {
    return queue.AddTask(RecordedForQueue(queue, TaskFunction(std::forward<F>(fn))));
  }
  queue.AddTask(TaskFunction(std::forward<F>(fn)));
}
template <typename F>
void AddForkedTaskTo(ConcurrentWorkQueue& queue, F&& fn) {
  if (tracing::IsRecording()) [[unlikely]] {
    return queue.AddForkedTask(RecordedForQueue(queue, TaskFunction(std::forward<F>(fn))));
  }
  queue.AddForkedTask(TaskFunction(std::forward<F>(fn)));
}
template <typename F>
bool AddBlockingTaskTo(ConcurrentWorkQueue& queue, F&& fn, bool allow_queuing) {
  if (tracing::IsRecording()) [[unlikely]] {
    return !queue.AddBlockingTask(RecordedForQueue(queue, TaskFunction(std::forward<F>(fn))),
                                  allow_queuing);
  }
  return !queue.AddBlockingTask(TaskFunction(std::forward<F>(fn)), allow_queuing);
}
}  // namespace internal

// Appends `fn` to the context's queue; the task keeps the request. If fn returns a value (or a
// StatusOr of one), returns an AsyncValueRef that becomes available when fn has run.
template <typename F>
auto EnqueueWork(const ExecutionContext& exec_ctx, F&& fn) {
  using R = std::invoke_result_t<F&>;
  if constexpr (std::is_void_v<R>) {
    internal::AddTaskTo(exec_ctx.work_queue(), internal::ForRequest(exec_ctx, std::forward<F>(fn)));
  } else {
    auto run = [&]<typename T>(std::type_identity<T>) {
      auto result = MakeUnconstructedAsyncValueRef<T>();
      internal::AddTaskTo(
          exec_ctx.work_queue(),
          internal::ForRequest(
              exec_ctx, [fn = std::forward<F>(fn), result = result.CopyRefOfNew()]() mutable {
                result.emplace(fn());
              }));
      return result;
    };
    if constexpr (requires {
                    typename R::value_type;
                    requires std::is_same_v<R, StatusOr<typename R::value_type>>;
                  }) {
      return run(std::type_identity<typename R::value_type>());
    } else {
      return run(std::type_identity<R>());
    }
  }
}

// Appends a part of the calling thread's own work; see AddForkedTask.
template <typename F>
void EnqueueForkedWork(const ExecutionContext& exec_ctx, F&& fn) {
  internal::AddForkedTaskTo(exec_ctx.work_queue(),
                            internal::ForRequest(exec_ctx, std::forward<F>(fn)));
}

// Appends work that may block its thread, possibly after other blocking work. Returns false if the
// queue refuses it; `fn` is then destroyed without having run.
template <typename F>
[[nodiscard]] bool EnqueueBlockingWork(const ExecutionContext& exec_ctx, F&& fn) {
  return internal::AddBlockingTaskTo(exec_ctx.work_queue(),
                                     internal::ForRequest(exec_ctx, std::forward<F>(fn)),
                                     /*allow_queuing=*/true);
}
// As above, for work that must start in finite time whatever other blocking work does.
template <typename F>
[[nodiscard]] bool RunBlockingWork(const ExecutionContext& exec_ctx, F&& fn) {
  return internal::AddBlockingTaskTo(exec_ctx.work_queue(),
                                     internal::ForRequest(exec_ctx, std::forward<F>(fn)),
                                     /*allow_queuing=*/false);
}

// Reports an error at the context's location and returns it.
Status EmitError(const ExecutionContext& exec_ctx, Status error);
// As above, with code INTERNAL, which kernels use.
Status EmitError(const ExecutionContext& exec_ctx, std::string_view message);

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_ENQUEUE_H_
