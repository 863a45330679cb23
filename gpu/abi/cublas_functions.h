// The functions of cuBLAS that we call, as a list for the preprocessor, like that of the driver's
// (cuda_driver_functions.h).
//
// Each entry is X(result, name, since, parameters, arguments). `since` is the first version that
// has the function, as kMinCublasVersion counts. It is that version for all older functions, whose
// history does not matter here.
#ifndef TFRT_GPU_ABI_CUBLAS_FUNCTIONS_H_
#define TFRT_GPU_ABI_CUBLAS_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "cublas_result.h"
#include "cublas_types.h"

// clang-format off
#define TFRT_CUBLAS_HANDLE_FUNCTIONS(X) \
  X(cublasStatus_t, cublasGetProperty, 120000, (libraryPropertyType type, int* value), \
    (type, value)) \
  X(cublasStatus_t, cublasCreate_v2, 120000, (cublasHandle_t* handle), (handle)) \
  X(cublasStatus_t, cublasDestroy_v2, 120000, (cublasHandle_t handle), (handle)) \
  X(cublasStatus_t, cublasSetStream_v2, 120000, (cublasHandle_t handle, CUstream stream), \
    (handle, stream)) \
  X(cublasStatus_t, cublasSetWorkspace_v2, 120000, \
    (cublasHandle_t handle, void* workspace, size_t size_bytes), (handle, workspace, size_bytes))

#define TFRT_CUBLAS_PRODUCT_FUNCTIONS(X) \
  X(cublasStatus_t, cublasAxpyEx, 120000, \
    (cublasHandle_t handle, int n, const void* alpha, cudaDataType alpha_type, const void* x, \
     cudaDataType x_type, int incx, void* y, cudaDataType y_type, int incy, \
     cudaDataType execution_type), \
    (handle, n, alpha, alpha_type, x, x_type, incx, y, y_type, incy, execution_type)) \
  X(cublasStatus_t, cublasScalEx, 120000, \
    (cublasHandle_t handle, int n, const void* alpha, cudaDataType alpha_type, void* x, \
     cudaDataType x_type, int incx, cudaDataType execution_type), \
    (handle, n, alpha, alpha_type, x, x_type, incx, execution_type)) \
  X(cublasStatus_t, cublasGemmEx, 120000, \
    (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
     int k, const void* alpha, const void* a, cudaDataType a_type, int lda, const void* b, \
     cudaDataType b_type, int ldb, const void* beta, void* c, cudaDataType c_type, int ldc, \
     cublasComputeType_t compute_type, cublasGemmAlgo_t algo), \
    (handle, transa, transb, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c, c_type, ldc, \
     compute_type, algo)) \
  X(cublasStatus_t, cublasGemmStridedBatchedEx, 120000, \
    (cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, \
     int k, const void* alpha, const void* a, cudaDataType a_type, int lda, long long stride_a, \
     const void* b, cudaDataType b_type, int ldb, long long stride_b, const void* beta, void* c, \
     cudaDataType c_type, int ldc, long long stride_c, int batch_count, \
     cublasComputeType_t compute_type, cublasGemmAlgo_t algo), \
    (handle, transa, transb, m, n, k, alpha, a, a_type, lda, stride_a, b, b_type, ldb, stride_b, \
     beta, c, c_type, ldc, stride_c, batch_count, compute_type, algo))

#define TFRT_CUBLAS_TRSM_FUNCTION(X, name, type) \
  X(cublasStatus_t, name, 120000, \
    (cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
     cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const type* alpha, \
     const type* const* a, int lda, type* const* b, int ldb, int batch_count), \
    (handle, side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb, batch_count))

#define TFRT_CUBLAS_SOLVE_FUNCTIONS(X) \
  TFRT_CUBLAS_TRSM_FUNCTION(X, cublasStrsmBatched, float) \
  TFRT_CUBLAS_TRSM_FUNCTION(X, cublasDtrsmBatched, double) \
  TFRT_CUBLAS_TRSM_FUNCTION(X, cublasCtrsmBatched, cuComplex) \
  TFRT_CUBLAS_TRSM_FUNCTION(X, cublasZtrsmBatched, cuDoubleComplex)
// clang-format on

#define TFRT_CUBLAS_FUNCTIONS(X)   \
  TFRT_CUBLAS_HANDLE_FUNCTIONS(X)  \
  TFRT_CUBLAS_PRODUCT_FUNCTIONS(X) \
  TFRT_CUBLAS_SOLVE_FUNCTIONS(X)

#endif  // TFRT_GPU_ABI_CUBLAS_FUNCTIONS_H_
