// The handles of the doubles of cuBLAS and cublasLt.
#ifndef TFRT_TEST_GPU_VENDOR_BLAS_HANDLES_H_
#define TFRT_TEST_GPU_VENDOR_BLAS_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "gpu/abi/cuda_driver_exports.h"
#include "test/gpu/vendor/driver/handle_table.h"
#include "work.h"

namespace tfrt::gpu::cublas_double {

// The object that a handle of either library stands for.
struct LibraryHandle {
  cuda::CUcontext context = nullptr;
  cuda::CUstream stream = nullptr;
  cuda::CUdeviceptr memory = 0;  // as real ones have some
  uint64_t workspace = 0;        // of the caller; 0: the library's own
  size_t workspace_bytes = 0;
};

// The objects of one kind. Thread-safe; never destroyed.
template <typename T, typename Handle>
class Objects {
 public:
  static Objects& All() {
    static auto& all = *new Objects;
    return all;
  }
  Handle Add(std::shared_ptr<T> object) {
    std::lock_guard lock(mutex_);
    return table_.Add(std::move(object));
  }
  std::shared_ptr<T> Find(Handle handle) {
    std::lock_guard lock(mutex_);
    return table_.Find(handle);
  }
  std::shared_ptr<T> Remove(Handle handle) {
    std::lock_guard lock(mutex_);
    return table_.Remove(handle);
  }

 private:
  std::mutex mutex_;
  cuda_double::HandleTable<T, Handle> table_{77};  // under mutex_
};

// Makes a handle of the thread's context. NOT_INITIALIZED if none is current, ALLOC_FAILED without
// memory.
inline cublasStatus_t MakeHandle(std::shared_ptr<LibraryHandle>* made) {
  constexpr size_t kBytes = size_t{64} << 10;
  auto handle = std::make_shared<LibraryHandle>();
  if (cuda::cuCtxGetCurrent(&handle->context) != cuda::CUDA_SUCCESS || !handle->context) {
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  if (const cuda::CUresult result = cuda::cuMemAlloc_v2(&handle->memory, kBytes);
      result != cuda::CUDA_SUCCESS) {
    return result == cuda::CUDA_ERROR_OUT_OF_MEMORY ? CUBLAS_STATUS_ALLOC_FAILED
                                                    : CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *made = std::move(handle);
  return CUBLAS_STATUS_SUCCESS;
}

// A handle may be used while its context is current alone.
inline bool IsCurrent(const LibraryHandle& handle) {
  cuda::CUcontext current = nullptr;
  return cuda::cuCtxGetCurrent(&current) == cuda::CUDA_SUCCESS && current == handle.context;
}

inline bool IsOfContext(cuda::CUstream stream, const LibraryHandle& handle) {
  cuda::CUcontext context = nullptr;
  return !stream || (cuda::cuStreamGetCtx(stream, &context) == cuda::CUDA_SUCCESS &&
                     context == handle.context);
}

}  // namespace tfrt::gpu::cublas_double

#endif  // TFRT_TEST_GPU_VENDOR_BLAS_HANDLES_H_
