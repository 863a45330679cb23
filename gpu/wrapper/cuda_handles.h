// Owners of objects that the CUDA driver makes in a context. Each gives its object back.
#ifndef TFRT_GPU_WRAPPER_CUDA_HANDLES_H_
#define TFRT_GPU_WRAPPER_CUDA_HANDLES_H_

#include <atomic>
#include <utility>

#include "cuda_context.h"
#include "gpu/abi/cuda_driver_table.h"
#include "gpu/abi/cuda_types.h"

namespace tfrt::gpu::cuda {

// Owns one object of a context, which outlives it; or is empty. Move-only; two pointers large. Not
// thread-safe by itself: what the object allows, its functions in the driver's table do.
template <typename T, CUresult (*DriverTable::*kDestroy)(T)>
class Handle {
 public:
  Handle() = default;
  // Takes over `object`, which must not be null.
  Handle(const Context& context, T object) : context_(&context), object_(object) {
    // relaxed: the count is read when it no longer changes.
    context.num_handles_.fetch_add(1, std::memory_order_relaxed);
  }
  Handle(Handle&& other) noexcept
      : context_(std::exchange(other.context_, nullptr)),
        object_(std::exchange(other.object_, {})) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(object_, other.object_);
    return *this;
  }
  // Ignores the driver's result. It may be the error of earlier work, which is reported where that
  // work is awaited. It may also report that the driver is unloaded because the process ends.
  ~Handle() { Reset(); }

  explicit operator bool() const { return context_ != nullptr; }
  T get() const { return object_; }
  // Null if the handle is empty.
  const Context* context() const { return context_; }

  // Destroys the object, on any thread: its context becomes the thread's current one. Empty
  // afterwards, whatever is returned.
  CUresult Reset() {
    if (!context_) return CUDA_SUCCESS;
    const Context& context = *context_;
    T object = Release();
    if (!context.MakeCurrent().ok()) return CUDA_ERROR_INVALID_CONTEXT;
    return (context.driver().*kDestroy)(object);
  }
  // Gives up the object, undestroyed.
  T Release() {
    if (context_) context_->num_handles_.fetch_sub(1, std::memory_order_relaxed);
    context_ = nullptr;
    return std::exchange(object_, {});
  }

 private:
  const Context* context_ = nullptr;
  T object_{};
};

using Stream = Handle<CUstream, &DriverTable::cuStreamDestroy_v2>;
using Event = Handle<CUevent, &DriverTable::cuEventDestroy_v2>;
using Module = Handle<CUmodule, &DriverTable::cuModuleUnload>;

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_WRAPPER_CUDA_HANDLES_H_
