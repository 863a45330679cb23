// Products of matrices by cublasLt, or by cuBLAS where that has nothing.
#ifndef TFRT_GPU_LIBRARIES_BLAS_GEMM_H_
#define TFRT_GPU_LIBRARIES_BLAS_GEMM_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gpu/abi/cublas_types.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/point.h"
#include "gpu/runtime/stream.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::blas {

// Functions of sums that the library has. Its gelu is the tanh form, which differs from that of erf
// by up to 5e-4. The exact one is a kernel of ours, after a product with kNone or kBias.
enum class GemmEpilogue : uint8_t {
  kNone,
  kBias,
  kRelu,
  kReluBias,
  kGeluTanh,
  kGeluTanhBias,
};
inline bool HasBias(GemmEpilogue epilogue) {
  return epilogue == GemmEpilogue::kBias || epilogue == GemmEpilogue::kReluBias ||
         epilogue == GemmEpilogue::kGeluTanhBias;
}

// C = epilogue(alpha op(A) op(B) + beta C + bias) of column-major matrices. The matrix op(A) is
// m x k, op(B) k x n, C m x n. The bias has an element of C's type for each row of C. Matrix i of a
// batch is i * stride elements after the first; the bias is that of all.
struct Gemm {
  cublas::cublasOperation_t transa = cublas::CUBLAS_OP_N, transb = cublas::CUBLAS_OP_N;
  int64_t m = 0, n = 0, k = 0, batch_count = 1;
  cublas::cudaDataType a_type = cublas::CUDA_R_32F, b_type = a_type, c_type = a_type;
  int64_t lda = 0, ldb = 0, ldc = 0;
  int64_t stride_a = 0, stride_b = 0, stride_c = 0;
  // Numbers of TF32 are used only if this asks for them.
  cublas::cublasComputeType_t compute = cublas::CUBLAS_COMPUTE_32F;
  GemmEpilogue epilogue = GemmEpilogue::kNone;

  friend bool operator==(const Gemm&, const Gemm&) = default;

  // Returns the product of row-major matrices as one of column-major ones. That is the product of
  // the transposed matrices in the other order, whose memory is the same. `gemm` has leading
  // dimensions that are distances of rows. The operands are swapped, see GemmOperands::OfRowMajor.
  // A bias then has an element for each column of the row-major C.
  static Gemm OfRowMajor(const Gemm& gemm);
};

struct GemmOperands {
  MemoryRange a, b, c, bias;
  const void* alpha = nullptr;  // of the host, in the scale type
  const void* beta = nullptr;

  static GemmOperands OfRowMajor(const GemmOperands& operands);
};

// Returns the type in which a product reads alpha and beta.
cublas::cudaDataType ScaleTypeOf(cublas::cublasComputeType_t compute, cublas::cudaDataType result);

// Returns whether EnqueueGemm has such a product, for operands whose addresses are multiples of
// `alignment_bytes`. Asks the library as EnqueueGemm does. Must be called under no lock.
StatusOr<bool> HasProduct(Context& context, const Gemm& gemm, uint32_t alignment_bytes);

// Enqueues a product in the stream. The library chooses an algorithm once for each kind of product
// in a context: shapes, types, and the alignment of addresses. It is asked again for the oldest of
// more than kMaxGemmPlans. Products without an epilogue that cublasLt lacks, and all of f64 and
// integers, are those of cuBLAS.
//
// Fails with Unimplemented for an epilogue that the library does not have for such a product, and
// with the library's errors. Must be called under no lock.
inline constexpr size_t kMaxGemmPlans = 4096;
StatusOr<Point> EnqueueGemm(Stream& stream, const Gemm& gemm, const GemmOperands& operands);

}  // namespace tfrt::gpu::blas

#endif  // TFRT_GPU_LIBRARIES_BLAS_GEMM_H_
