#include "reported.h"

#include <utility>

#include "tfrt/host_context/enqueue.h"

namespace tfrt::gpu {

AsyncValueRef<Chain> Reported(const ExecutionContext& exec_ctx, AsyncValueRef<Chain> done) {
  if (done.IsAvailable()) {
    if (done.IsError()) (void)EmitError(exec_ctx, done.GetError());
    return done;
  }
  auto result = MakeUnconstructedAsyncValueRef<Chain>();
  AsyncValue* value = done.GetAsyncValue();
  value->AndThen([exec_ctx, done = std::move(done), result = result.CopyRef()] {
    if (done.IsError()) {
      result.SetError(EmitError(exec_ctx, done.GetError()));
    } else {
      result.emplace();
    }
  });
  return result;
}

}  // namespace tfrt::gpu
