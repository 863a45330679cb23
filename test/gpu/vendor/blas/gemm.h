// Products of matrices, as the doubles of cuBLAS and cublasLt compute them.
#ifndef TFRT_TEST_GPU_VENDOR_BLAS_GEMM_H_
#define TFRT_TEST_GPU_VENDOR_BLAS_GEMM_H_

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "gpu/abi/cublas_types.h"
#include "matrix.h"

namespace tfrt::gpu::cublas_double {

// The step on each element of the result before it is written.
enum class Activation : uint8_t { kNone, kRelu, kGeluTanh };

// D = activation(alpha op(A) op(B) + beta C + bias), matrix by matrix.
struct Product {
  cublasOperation_t transa = CUBLAS_OP_N, transb = CUBLAS_OP_N;
  int64_t m = 0, n = 0, k = 0, batch_count = 1;
  Matrices a, b, c, d;
  cudaDataType scale_type = CUDA_R_32F;
  std::complex<double> alpha, beta;
  Activation activation = Activation::kNone;
  uint64_t bias = 0;  // one element of D's type for each row; 0: none

  // The bytes that it uses: those of A and B unless alpha is 0, those of C unless beta is.
  std::vector<tfrtDoubleRange> Ranges() const;
};

// Returns the type of alpha and beta of a supported product; empty for others.
std::optional<cudaDataType> ScaleTypeOf(cublasComputeType_t compute_type, cudaDataType a,
                                        cudaDataType b, cudaDataType c);
// Reads a scalar of the host.
std::complex<double> ReadScalar(cudaDataType type, const void* scalar);

bool IsOperation(cublasOperation_t operation);

// Runs a product whose bytes are those of Ranges. The sums have the scale type; those of
// CUBLAS_COMPUTE_16F are of floats.
void Run(const Product& product);

}  // namespace tfrt::gpu::cublas_double

#endif  // TFRT_TEST_GPU_VENDOR_BLAS_GEMM_H_
