// The codes that functions of cuBLAS and cublasLt return.
//
// Names and values are the vendor's, as in cuda_result.h.
#ifndef TFRT_GPU_ABI_CUBLAS_RESULT_H_
#define TFRT_GPU_ABI_CUBLAS_RESULT_H_

#include <cstdint>
#include <string_view>

// X(name, value, code) for each code, by value. The last is the name of the tfrt::StatusCode that
// it becomes.
#define TFRT_CUBLAS_RESULTS(X)                             \
  X(CUBLAS_STATUS_SUCCESS, 0, kOk)                         \
  X(CUBLAS_STATUS_NOT_INITIALIZED, 1, kFailedPrecondition) \
  X(CUBLAS_STATUS_ALLOC_FAILED, 3, kResourceExhausted)     \
  X(CUBLAS_STATUS_INVALID_VALUE, 7, kInvalidArgument)      \
  X(CUBLAS_STATUS_ARCH_MISMATCH, 8, kUnimplemented)        \
  X(CUBLAS_STATUS_MAPPING_ERROR, 11, kInternal)            \
  X(CUBLAS_STATUS_EXECUTION_FAILED, 13, kInternal)         \
  X(CUBLAS_STATUS_INTERNAL_ERROR, 14, kInternal)           \
  X(CUBLAS_STATUS_NOT_SUPPORTED, 15, kUnimplemented)       \
  X(CUBLAS_STATUS_LICENSE_ERROR, 16, kPermissionDenied)

namespace tfrt::gpu::cublas {

enum cublasStatus_t : uint32_t {
#define TFRT_CUBLAS_RESULT(name, value, code) name = value,
  TFRT_CUBLAS_RESULTS(TFRT_CUBLAS_RESULT)
#undef TFRT_CUBLAS_RESULT
};

// The vendor's name; empty for a code that the table lacks. Needs no library.
std::string_view ResultName(cublasStatus_t result);

}  // namespace tfrt::gpu::cublas

#endif  // TFRT_GPU_ABI_CUBLAS_RESULT_H_
