// Contexts of the CUDA driver, and which of them is current on a thread.
#ifndef TFRT_GPU_WRAPPER_CUDA_CONTEXT_H_
#define TFRT_GPU_WRAPPER_CUDA_CONTEXT_H_

#include <atomic>
#include <cstdint>
#include <memory>

#include "gpu/abi/cuda_driver_table.h"
#include "gpu/abi/cuda_types.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::cuda {

namespace internal {
// The number of the context that this thread has made current; 0: none that we know of.
inline constinit thread_local uint64_t current_context = 0;
}  // namespace internal

// Owns a context of the driver, or one reference to a device's primary context. Objects made in it
// must be destroyed before it. Thread-safe.
class Context {
 public:
  // The context that all of a process share on a device. `driver` outlives it.
  static StatusOr<std::unique_ptr<Context>> RetainPrimary(const DriverTable& driver,
                                                          CUdevice device);
  // Another one, with CUctx_flags. The calling thread's current context stays what it was.
  static StatusOr<std::unique_ptr<Context>> Create(const DriverTable& driver, CUdevice device,
                                                   unsigned flags);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  // Ignores the driver's result: at exit the driver may already be unloaded. Other threads must not
  // use the context any more.
  ~Context();

  const DriverTable& driver() const { return driver_; }
  CUcontext get() const { return context_; }
  CUdevice device() const { return device_; }

  // Makes it the calling thread's current context, which most calls need. Remembered by a number of
  // ours, so that it costs a comparison the next time: addresses of contexts come again, numbers do
  // not. Fails like CheckProcess.
  Status MakeCurrent() const {
    if (internal::current_context == number_) [[likely]]
      return OkStatus();
    return SetCurrent();
  }
  // FailedPrecondition in a process that was forked from the one of the context: the driver does
  // not work there, and may hang.
  Status CheckProcess() const;
  // For who calls what sets the thread's current context by itself, and does not set it back.
  static void ForgetCurrent() { internal::current_context = 0; }

 private:
  template <typename T, CUresult (*DriverTable::*kDestroy)(T)>
  friend class Handle;

  Context(const DriverTable& driver, CUcontext context, CUdevice device, bool is_primary);
  [[gnu::noinline]] Status SetCurrent() const;

  const DriverTable& driver_;
  const CUcontext context_;
  const CUdevice device_;
  const bool is_primary_;
  const uint64_t number_;
  const uint32_t fork_generation_;
  // Counts the Handles in it, to find one that outlives it.
  mutable std::atomic<int64_t> num_handles_{0};
};

}  // namespace tfrt::gpu::cuda

#endif  // TFRT_GPU_WRAPPER_CUDA_CONTEXT_H_
