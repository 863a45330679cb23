// Matrix products of tensors. Thread-safe; tensors are borrowed for the time of the call, their
// memory until the completion (completion.h). Outputs are written whole.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "activation.h"
#include "lib/ops/maths/completion.h"
#include "matmul_fusion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

namespace contraction {
struct MatMulProblem;
template <typename Problem>
class Packed;
}  // namespace contraction

namespace maths {

// The second matrix of products in the layout that they read fastest. A value; copies share it.
// Not null but after a move. Thread-safe.
struct PackedMatrix {
  static constexpr std::string_view kProgramTypeName = "packed matrix";
  std::shared_ptr<const contraction::Packed<contraction::MatMulProblem>> state;
};

// A second matrix as it comes, or packed. Borrowed.
struct MatrixOperand {
  MatrixOperand(const DenseHostTensor& plain) : plain(&plain) {}  // NOLINT: implicit by design
  MatrixOperand(const PackedMatrix& packed) : packed(&packed) {}  // NOLINT: implicit by design

  const DenseHostTensor* plain = nullptr;
  const PackedMatrix* packed = nullptr;
};

struct MatMulOptions {
  // The matrix lies the other way round in memory.
  bool transpose_a = false;
  bool transpose_b = false;
  Activation activation = Activation::kNone;
};

// out [M,N] = activation(a [M,K] * b [K,N] + bias [N]), all f32. The bias may be null. The output
// shares no memory with the inputs.
Completion MatMul(const DenseHostTensor& a, const MatrixOperand& b, const DenseHostTensor* bias,
                  DenseHostTensor& out, const MatMulOptions& options,
                  const ExecutionContext& exec_ctx);

// The same with what tf._FusedMatMul does after adding the bias; the options' activation is
// ignored. "Bias tensor must a vector" and so on (CheckMatMulBias).
Completion FusedMatMul(const DenseHostTensor& a, const DenseHostTensor& b,
                       const DenseHostTensor& bias, MatMulFusion fusion, DenseHostTensor& out,
                       const MatMulOptions& options, const ExecutionContext& exec_ctx);
// On the calling thread alone, at once.
Status FusedMatMulOnThisThread(const DenseHostTensor& a, const DenseHostTensor& b,
                               const DenseHostTensor& bias, MatMulFusion fusion,
                               DenseHostTensor& out, const MatMulOptions& options,
                               const ExecutionContext& exec_ctx);

// out [...,M,N] = alpha * a [...,M,K] * b [...,K,N] for every index of the leading dimensions,
// which are broadcast (batch_broadcast.h), all f32. The output shares no memory with the inputs.
Completion BatchMatMul(float alpha, const DenseHostTensor& a, const DenseHostTensor& b,
                       bool transpose_a, bool transpose_b, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx);

// Says how the sums of products of FusedBatchMatMul are completed.
struct FusedProduct {
  bool transpose_a = false;
  bool transpose_b = false;
  float scale = 1;
  const DenseHostTensor* bias = nullptr;    // [N], for each row
  const DenseHostTensor* addend = nullptr;  // broadcast to the output
  bool add_to_output = false;               // instead of an addend: what the output holds
  ActivationWithParameters activation;
};
// out [...,M,N] = activation(scale * a [...,M,K] * b [...,K,N] + bias + addend), the leading
// dimensions broadcast, all f32. A packed b is a single matrix [K,N]. The output shares no memory
// with the inputs.
Completion FusedBatchMatMul(const DenseHostTensor& a, const MatrixOperand& b,
                            const FusedProduct& fused, DenseHostTensor& out,
                            const ExecutionContext& exec_ctx);

// out [M,N] = alpha * a [M,K] * b [K,N] + beta * out, all f32. Beta 0 ignores what `out` holds,
// even NaN. The output may share memory with the inputs.
Completion ScaledMatMul(float alpha, const DenseHostTensor& a, const DenseHostTensor& b, float beta,
                        DenseHostTensor& out, const ExecutionContext& exec_ctx);
// The same for tensors of T, at once: double, int32_t or int64_t. Integers wrap.
template <typename T>
Status ScaledMatMul(T alpha, const DenseHostTensor& a, const DenseHostTensor& b, T beta,
                    DenseHostTensor& out);

// Says how a product of MultiplyMatrices is completed.
struct ProductTail {
  const DenseHostTensor* bias = nullptr;  // [N], added to each row
  bool relu = false;                      // of i32: negative elements become 0
  bool relu6 = false;                     // and those above 6 become 6
};

// f32, f64, i32, i64, ui32, ui64, complex64 and complex128.
bool CanMultiplyMatrices(DType dtype);
// Computes out [...,M,N] = a [...,M,K] * b [...,K,N], then the tail. A transposed matrix has its
// two dimensions swapped in memory. Leading dimensions are broadcast. All are of the output's
// dtype, for which CanMultiplyMatrices. Integers wrap. For f32 the functions above are faster.
Completion MultiplyMatrices(const DenseHostTensor& a, const DenseHostTensor& b, bool transpose_a,
                            bool transpose_b, const ProductTail& tail, DenseHostTensor& out,
                            const ExecutionContext& exec_ctx);

// b [K,N] (or [N,K] if transpose_b), f32, f16 or bf16, in the layout that products of f32 with
// `rows` rows read fastest.
// Products of other numbers of rows may use it as well, with the same transpose_b.
StatusOr<PackedMatrix> PackMatrix(const DenseHostTensor& b, int64_t rows, bool transpose_b,
                                  const ExecutionContext& exec_ctx);

}  // namespace maths
}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_H_
