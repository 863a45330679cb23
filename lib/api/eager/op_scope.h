// While an op function runs: what it calls runs at once, on its thread, and it never waits for what
// may come after itself.
//
// An op function may be on the only thread that runs the ops of its context (FIFO order, a queue of
// one thread). Ops that wait for it may be ahead of those that it calls. So in an op function
//   - calls are SYNC whatever the scope says, so that nothing that it needs is in a queue;
//   - the effects of what it calls are part of its own: they take no turn among those of others;
//   - to ask for the elements of a tensor that is not there yet, or for the end of all ops, is an
//     error: the tensor is not its own, and may be made by an op that waits for this one.
#ifndef TFRT_LIB_API_EAGER_OP_SCOPE_H_
#define TFRT_LIB_API_EAGER_OP_SCOPE_H_

#include <span>
#include <utility>

#include "context_impl.h"
#include "lib/ops/op_call/op_function_scope.h"
#include "lib/runtime/host/timeline.h"
#include "tfrt/async/async_value.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/status.h"

namespace tfrt::eager {

// True if calls are over when they return.
inline bool IsSync(const Scope::State& scope) {
  return scope.mode == ExecutionMode::kSync || in_op_function;
}

// Separates a task from the stack below it, on a thread that waits or has taken the task. The task
// is in no op function and has no scope.
class OnTopScope {
 public:
  OnTopScope()
      : outer_in_op_function_(std::exchange(in_op_function, false)),
        outer_scope_(std::exchange(current_scope, nullptr)) {}
  OnTopScope(const OnTopScope&) = delete;
  OnTopScope& operator=(const OnTopScope&) = delete;
  ~OnTopScope() {
    in_op_function = outer_in_op_function_;
    current_scope = outer_scope_;
  }

 private:
  const bool outer_in_op_function_;
  Scope::State* const outer_scope_;
};

// HostContext::Await for threads that may have a scope: the tasks that run meanwhile have none.
inline void AwaitOnTop(HostContext* host, std::span<AsyncValue* const> values) {
  OnTopScope on_top;
  host->Await(values);
}

// Waits for what has begun: results of an op that has been called on this thread.
inline void AwaitBegun(HostContext* host, AsyncValue* value) {
  if (value->IsAvailable()) [[likely]]
    return;
  // The tasks of others, which Await might run, are not for the thread of a device.
  if (TimelineScope::IsActive()) return TimelineScope::SleepUntil(value);
  AwaitOnTop(host, {&value, 1});
}

// Waits for elements that a device's timeline makes, which depends on no other thread. It also
// waits in an op function, except in one that is on a timeline itself. FailedPrecondition there.
Status AwaitElements(HostContext* host, AsyncValue* elements);

// Waits for a value that may depend on other threads. FailedPrecondition, at once, in an op
// function.
Status AwaitOthers(HostContext* host, AsyncValue* value);

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_OP_SCOPE_H_
