// The types of cublasLt that functions of cublaslt_functions.h take.
//
// Names and values are the vendor's, as in cuda_types.h. Enumerations have the values that we use.
#ifndef TFRT_GPU_ABI_CUBLASLT_TYPES_H_
#define TFRT_GPU_ABI_CUBLASLT_TYPES_H_

#include <cstddef>
#include <cstdint>

#include "cublas_result.h"
#include "cublas_types.h"

namespace tfrt::gpu::cublaslt {

using cublas::cublasComputeType_t;
using cublas::cublasOperation_t;
using cublas::cublasStatus_t;
using cublas::cudaDataType;
using cuda::CUstream;

// The first version that we accept, as cublasLtGetVersion counts: like that of cuBLAS.
inline constexpr int kMinCublasLtVersion = 120000;

using cublasLtHandle_t = struct cublasLtContext*;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque_t*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque_t*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque_t*;

enum cublasLtMatmulDescAttributes_t : uint32_t {
  CUBLASLT_MATMUL_DESC_TRANSA = 3,
  CUBLASLT_MATMUL_DESC_TRANSB = 4,
  CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
  CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
};

enum cublasLtEpilogue_t : uint32_t {
  CUBLASLT_EPILOGUE_DEFAULT = 1,
  CUBLASLT_EPILOGUE_RELU = 2,
  CUBLASLT_EPILOGUE_BIAS = 4,
  CUBLASLT_EPILOGUE_RELU_BIAS = 6,
  CUBLASLT_EPILOGUE_GELU = 32,
  CUBLASLT_EPILOGUE_GELU_BIAS = 36,
};

enum cublasLtMatrixLayoutAttribute_t : uint32_t {
  CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
  CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
};

enum cublasLtMatmulPreferenceAttributes_t : uint32_t {
  CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
  CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
  CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
};

struct cublasLtMatmulAlgo_t {
  uint64_t data[8];
};

struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

}  // namespace tfrt::gpu::cublaslt

#endif  // TFRT_GPU_ABI_CUBLASLT_TYPES_H_
