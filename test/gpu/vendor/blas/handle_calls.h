// The handles of the double of cuBLAS, as its functions find them.
#ifndef TFRT_TEST_GPU_VENDOR_BLAS_HANDLE_CALLS_H_
#define TFRT_TEST_GPU_VENDOR_BLAS_HANDLE_CALLS_H_

#include <memory>
#include <vector>

#include "gpu/abi/cublas_types.h"
#include "handles.h"

namespace tfrt::gpu::cublas_double {

using BlasHandles = Objects<LibraryHandle, cublasHandle_t>;

// NOT_INITIALIZED if there is none; INVALID_VALUE on a thread whose context is another one.
inline cublasStatus_t GetHandle(cublasHandle_t handle, std::shared_ptr<LibraryHandle>* found) {
  *found = BlasHandles::All().Find(handle);
  if (!*found) return CUBLAS_STATUS_NOT_INITIALIZED;
  TFRT_BLAS_CHECK(IsCurrent(**found));
  return CUBLAS_STATUS_SUCCESS;
}

// A function may write all of the caller's workspace.
inline void AppendWorkspace(const LibraryHandle& handle, std::vector<tfrtDoubleRange>* ranges) {
  if (handle.workspace_bytes != 0) {
    ranges->push_back({handle.workspace, handle.workspace_bytes, kWrites});
  }
}

}  // namespace tfrt::gpu::cublas_double

#endif  // TFRT_TEST_GPU_VENDOR_BLAS_HANDLE_CALLS_H_
