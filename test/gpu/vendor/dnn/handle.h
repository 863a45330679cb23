// Handle: what a cudnnHandle_t stands for, and work that is put into its stream.
#ifndef TFRT_TEST_GPU_VENDOR_DNN_HANDLE_H_
#define TFRT_TEST_GPU_VENDOR_DNN_HANDLE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "call.h"

namespace tfrt::gpu::cudnn_double {

struct Handle {
  cuda::CUcontext context = nullptr;
  CUstream stream = nullptr;
  cuda::CUdeviceptr memory = 0;  // as real ones have some
};

// BAD_PARAM if there is none, or if it is of another context than the thread's.
cudnnStatus_t GetHandle(cudnnHandle_t handle, std::shared_ptr<Handle>* found);

// Puts work into the handle's stream that uses these bytes. It runs on another thread, or never, if
// the context fails before.
cudnnStatus_t Enqueue(const Handle& handle, const char* name, std::vector<tfrtDoubleRange> ranges,
                      std::function<void()> work);

// The host's view of the memory of a device, for work that runs.
inline std::byte* View(const void* device) {
  return static_cast<std::byte*>(tfrtDoubleHostView(reinterpret_cast<uint64_t>(device)));
}

}  // namespace tfrt::gpu::cudnn_double

#endif  // TFRT_TEST_GPU_VENDOR_DNN_HANDLE_H_
