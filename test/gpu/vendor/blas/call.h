// Begins all functions of the doubles of cuBLAS and cublasLt.
#ifndef TFRT_TEST_GPU_VENDOR_BLAS_CALL_H_
#define TFRT_TEST_GPU_VENDOR_BLAS_CALL_H_

#include <cstdint>

#include "gpu/abi/cublas_result.h"
#include "test/gpu/vendor/driver/control.h"

namespace tfrt::gpu::cublas_double {

using namespace cublas;  // NOLINT: the vendor's names

// Runs the body of an exported function, unless a setting makes the call fail.
template <typename F>
cublasStatus_t Enter(const char* function, F&& body) {
  if (const uint32_t code = tfrtDoubleLibraryCall(function)) {
    return static_cast<cublasStatus_t>(code);
  }
  return body();
}

#define TFRT_BLAS_RETURN_IF_FAILED(call)                                           \
  if (const cublasStatus_t status_of_call = (call);                                \
      status_of_call != ::tfrt::gpu::cublas::CUBLAS_STATUS_SUCCESS) [[unlikely]] { \
    return status_of_call;                                                         \
  }
// A condition that arguments must meet.
#define TFRT_BLAS_CHECK(condition)                           \
  if (!(condition)) [[unlikely]] {                           \
    return ::tfrt::gpu::cublas::CUBLAS_STATUS_INVALID_VALUE; \
  }
#define TFRT_BLAS_CHECK_SUPPORT(condition)                   \
  if (!(condition)) [[unlikely]] {                           \
    return ::tfrt::gpu::cublas::CUBLAS_STATUS_NOT_SUPPORTED; \
  }

}  // namespace tfrt::gpu::cublas_double

#endif  // TFRT_TEST_GPU_VENDOR_BLAS_CALL_H_
