// Tensor handles as values of programs.
#ifndef TFRT_LIB_COMPAT_CORERT_KERNELS_HANDLE_VALUE_H_
#define TFRT_LIB_COMPAT_CORERT_KERNELS_HANDLE_VALUE_H_

#include <utility>

#include "lib/compat/handles/core_runtime.h"
#include "lib/compat/handles/tensor_handle.h"
#include "tfrt/host_context/execution_context.h"

namespace tfrt {

// The handle as a value that is there when its tensor is, and an error if its tensor is one.
AsyncValueRef<TensorHandle> HandleValue(TensorHandle handle);

// A handle for a tensor in the host's memory.
inline TensorHandle HostHandle(const ExecutionContext& exec_ctx, AsyncValueRef<Tensor> tensor) {
  return TensorHandle(CoreRuntime::Of(exec_ctx.host()).host_device(), std::move(tensor));
}
template <typename T>
  requires std::is_base_of_v<Tensor, T>
TensorHandle HostHandle(const ExecutionContext& exec_ctx, T tensor) {
  return HostHandle(exec_ctx,
                    AsyncValueRef<Tensor>(MakeAvailableAsyncValueRef<T>(std::move(tensor))));
}

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_CORERT_KERNELS_HANDLE_VALUE_H_
