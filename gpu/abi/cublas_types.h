// The types of cuBLAS that functions of cublas_functions.h take.
//
// Names and values are the vendor's, as in cuda_types.h. Enumerations have the values that we use.
#ifndef TFRT_GPU_ABI_CUBLAS_TYPES_H_
#define TFRT_GPU_ABI_CUBLAS_TYPES_H_

#include <cstdint>

#include "cuda_types.h"

namespace tfrt::gpu::cublas {

using cuda::CUstream;

// The first version that we accept, as cublasGetVersion counts: 10000 * major + 100 * minor +
// patch.
inline constexpr int kMinCublasVersion = 120000;

using cublasHandle_t = struct cublasContext*;

enum cudaDataType : uint32_t {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14,
};

enum libraryPropertyType : uint32_t {
  MAJOR_VERSION = 0,
  MINOR_VERSION = 1,
  PATCH_LEVEL = 2,
};

enum cublasOperation_t : uint32_t {
  CUBLAS_OP_N = 0,
  CUBLAS_OP_T = 1,
  CUBLAS_OP_C = 2,
};

enum cublasFillMode_t : uint32_t {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
};

enum cublasDiagType_t : uint32_t {
  CUBLAS_DIAG_NON_UNIT = 0,
  CUBLAS_DIAG_UNIT = 1,
};

enum cublasSideMode_t : uint32_t {
  CUBLAS_SIDE_LEFT = 0,
  CUBLAS_SIDE_RIGHT = 1,
};

enum cublasComputeType_t : uint32_t {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};

enum cublasGemmAlgo_t : int32_t {
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
};

// Complex numbers, as vectors of the device.
struct alignas(8) cuComplex {
  float x;
  float y;
};
struct alignas(16) cuDoubleComplex {
  double x;
  double y;
};

}  // namespace tfrt::gpu::cublas

#endif  // TFRT_GPU_ABI_CUBLAS_TYPES_H_
