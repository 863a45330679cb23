// The handles of cuBLAS and cublasLt in one context.
#ifndef TFRT_GPU_LIBRARIES_BLAS_HANDLES_H_
#define TFRT_GPU_LIBRARIES_BLAS_HANDLES_H_

#include <cstddef>

#include "gpu/abi/cublas_types.h"
#include "gpu/abi/cublaslt_types.h"
#include "gpu/libraries/handle_pool.h"
#include "gpu/runtime/context.h"
#include "gpu/wrapper/cublas.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::blas {

// Return the library. The error of a missing one has the name that programs expect:
// CUBLAS_STATUS_NOT_INITIALIZED.
StatusOr<const cublas::Library*> BlasLibrary();
StatusOr<const cublaslt::Library*> LtLibrary();

struct HandleTraits {
  using Handle = cublas::cublasHandle_t;
  // Opens the library. Fails with its error, or that of BlasLibrary.
  static StatusOr<Handle> Create(Context& context);
  static void Destroy(Context& context, Handle handle);
};
// Take a handle before a stream's call, and set its stream and then its workspace in the call.
using Handles = HandlePool<HandleTraits>;

struct LtHandleTraits {
  using Handle = cublaslt::cublasLtHandle_t;
  static StatusOr<Handle> Create(Context& context);
  static void Destroy(Context& context, Handle handle);
};
using LtHandles = HandlePool<LtHandleTraits>;

// Returns the size of the workspace that the vendor recommends for the context's device.
size_t WorkspaceBytes(const Context& context);

}  // namespace tfrt::gpu::blas

#endif  // TFRT_GPU_LIBRARIES_BLAS_HANDLES_H_
