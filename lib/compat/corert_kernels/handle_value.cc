#include "handle_value.h"

namespace tfrt {

AsyncValueRef<TensorHandle> HandleValue(TensorHandle handle) {
  if (!handle.valid()) [[unlikely]]
    return InternalError("an op has not set its result");
  if (handle.tensor().IsConcrete()) [[likely]] {
    return MakeAvailableAsyncValueRef<TensorHandle>(std::move(handle));
  }
  AsyncValue* tensor = handle.async_tensor();
  if (tensor->IsError()) {
    return AsyncValueRef<TensorHandle>(std::move(handle).ReleaseTensor().ReleaseRCRef());
  }
  auto value = MakeUnconstructedAsyncValueRef<TensorHandle>();
  tensor->AndThen([handle = std::move(handle), value = value.CopyRef()]() mutable {
    if (handle.IsError()) {
      value.SetError(handle.tensor().GetError());
    } else {
      value.emplace(std::move(handle));
    }
  });
  return value;
}

}  // namespace tfrt
