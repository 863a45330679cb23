// The functions of cublasLt that we call, as a list for the preprocessor, like that of cuBLAS
// (cublas_functions.h). They return the codes of cuBLAS.
#ifndef TFRT_GPU_ABI_CUBLASLT_FUNCTIONS_H_
#define TFRT_GPU_ABI_CUBLASLT_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "cublaslt_types.h"

// clang-format off
#define TFRT_CUBLASLT_FUNCTIONS(X) \
  X(size_t, cublasLtGetVersion, 120000, (), ()) \
  X(cublasStatus_t, cublasLtCreate, 120000, (cublasLtHandle_t* handle), (handle)) \
  X(cublasStatus_t, cublasLtDestroy, 120000, (cublasLtHandle_t handle), (handle)) \
  X(cublasStatus_t, cublasLtMatmulDescCreate, 120000, \
    (cublasLtMatmulDesc_t* desc, cublasComputeType_t compute_type, cudaDataType scale_type), \
    (desc, compute_type, scale_type)) \
  X(cublasStatus_t, cublasLtMatmulDescDestroy, 120000, (cublasLtMatmulDesc_t desc), (desc)) \
  X(cublasStatus_t, cublasLtMatmulDescSetAttribute, 120000, \
    (cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, const void* value, \
     size_t size_bytes), (desc, attribute, value, size_bytes)) \
  X(cublasStatus_t, cublasLtMatrixLayoutCreate, 120000, \
    (cublasLtMatrixLayout_t* layout, cudaDataType type, uint64_t rows, uint64_t cols, int64_t ld), \
    (layout, type, rows, cols, ld)) \
  X(cublasStatus_t, cublasLtMatrixLayoutDestroy, 120000, (cublasLtMatrixLayout_t layout), \
    (layout)) \
  X(cublasStatus_t, cublasLtMatrixLayoutSetAttribute, 120000, \
    (cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, \
     const void* value, size_t size_bytes), (layout, attribute, value, size_bytes)) \
  X(cublasStatus_t, cublasLtMatmulPreferenceCreate, 120000, \
    (cublasLtMatmulPreference_t* preference), (preference)) \
  X(cublasStatus_t, cublasLtMatmulPreferenceDestroy, 120000, \
    (cublasLtMatmulPreference_t preference), (preference)) \
  X(cublasStatus_t, cublasLtMatmulPreferenceSetAttribute, 120000, \
    (cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute, \
     const void* value, size_t size_bytes), (preference, attribute, value, size_bytes)) \
  X(cublasStatus_t, cublasLtMatmulAlgoGetHeuristic, 120000, \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a, \
     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, \
     cublasLtMatmulPreference_t preference, int requested, \
     cublasLtMatmulHeuristicResult_t* results, int* returned), \
    (handle, desc, a, b, c, d, preference, requested, results, returned)) \
  X(cublasStatus_t, cublasLtMatmul, 120000, \
    (cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* a, \
     cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout, \
     const void* beta, const void* c, cublasLtMatrixLayout_t c_layout, void* d, \
     cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t* algo, void* workspace, \
     size_t workspace_bytes, CUstream stream), \
    (handle, desc, alpha, a, a_layout, b, b_layout, beta, c, c_layout, d, d_layout, algo, \
     workspace, workspace_bytes, stream))
// clang-format on

#endif  // TFRT_GPU_ABI_CUBLASLT_FUNCTIONS_H_
