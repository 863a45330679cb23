#include "matmul.h"

#include <limits>
#include <optional>
#include <utility>

#include "contractions.h"
#include "in_floats.h"
#include "matmul_checks.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using contraction::Compute;
using contraction::MatMulProblem;
using contraction::Operands;

// A product whose operands fit together.
struct CheckedMatMul {
  MatMulProblem problem;
  Operands operands;
};

// out [M,N] = activation(a [M,K] * b [K,N] + bias [N]), a and b transposed in memory as the flags
// say. The bias may be null.
StatusOr<CheckedMatMul> CheckMatMul(const DenseHostTensor& a, const MatrixOperand& b,
                                    const DenseHostTensor* bias, DenseHostTensor& out,
                                    const MatMulOptions& options) {
  TFRT_RETURN_IF_ERROR(CheckRank(a, 2, kFirst));
  TFRT_RETURN_IF_ERROR(CheckRank(out, 2, kOutput));
  TFRT_RETURN_IF_ERROR(CheckDType(a, DType::kF32, kFirst));
  CheckedMatMul checked;
  MatMulProblem& problem = checked.problem;
  problem.transpose_a = options.transpose_a;
  problem.transpose_b = options.transpose_b;
  problem.activation = options.activation;
  Operands& operands = checked.operands;
  TensorShape b_shape;
  if (b.packed) {
    const MatMulProblem& packed = b.packed->state->problem();
    if (packed.transpose_b != options.transpose_b) {
      return InvalidArgumentError("the packed matrix and the matmul differ in transpose_b");
    }
    b_shape =
        options.transpose_b ? TensorShape{packed.n, packed.k} : TensorShape{packed.k, packed.n};
    problem.packed_b = true;
    problem.in_bf16 = packed.in_bf16;
  } else {
    TFRT_RETURN_IF_ERROR(CheckRank(*b.plain, 2, kSecond));
    TFRT_RETURN_IF_ERROR(CheckDType(*b.plain, DType::kF32, kSecond));
    b_shape = b.plain->shape();
    operands.b = static_cast<const float*>(b.plain->data());
  }
  MatrixSize a_size = SizeOf(a.shape(), options.transpose_a),
             b_size = SizeOf(b_shape, options.transpose_b);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b_shape, b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b_shape, b_size, out.shape()));
  SetSizes(problem, a_size, b_size);
  if (bias) {
    TFRT_RETURN_IF_ERROR(CheckDType(*bias, DType::kF32, "the matmul bias"));
    if (bias->shape() != TensorShape{b_size.columns}) {
      return InvalidArgumentError(StrCat("the matmul bias has the shape ", bias->shape().ToString(),
                                         ", expected [", b_size.columns, "]"));
    }
    problem.has_bias = true;
    operands.bias = static_cast<const float*>(bias->data());
  }
  operands.a = static_cast<const float*>(a.data());
  TFRT_ASSIGN_OR_RETURN(operands.out, OutputData(out, {&a, b.plain, bias}));
  return checked;
}

// Relu is an activation of products; the others follow them.
MatMulOptions WithFusion(MatMulOptions options, MatMulFusion fusion) {
  options.activation = fusion == MatMulFusion::kRelu ? Activation::kRelu : Activation::kNone;
  return options;
}

StatusOr<CheckedMatMul> CheckFusedMatMul(const DenseHostTensor& a, const DenseHostTensor& b,
                                         const DenseHostTensor& bias, MatMulFusion fusion,
                                         DenseHostTensor& out, const MatMulOptions& options) {
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kSecond));
  TFRT_RETURN_IF_ERROR(
      CheckMatMulBias(bias.shape(), SizeOf(b.shape(), options.transpose_b).columns));
  return CheckMatMul(a, b, &bias, out, WithFusion(options, fusion));
}

}  // namespace

Completion MatMul(const DenseHostTensor& a, const MatrixOperand& b, const DenseHostTensor* bias,
                  DenseHostTensor& out, const MatMulOptions& options,
                  const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(CheckedMatMul checked, CheckMatMul(a, b, bias, out, options));
  return Compute<MatMulProblem>(exec_ctx, checked.problem, checked.operands,
                                b.packed ? &b.packed->state : nullptr, {&a, b.plain, bias, &out});
}

Completion FusedMatMul(const DenseHostTensor& a, const DenseHostTensor& b,
                       const DenseHostTensor& bias, MatMulFusion fusion, DenseHostTensor& out,
                       const MatMulOptions& options, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(CheckedMatMul checked, CheckFusedMatMul(a, b, bias, fusion, out, options));
  AsyncValueRef<Chain> done = Compute<MatMulProblem>(exec_ctx, checked.problem, checked.operands,
                                                     nullptr, {&a, &b, &bias, &out});
  if (done.IsError() || !NeedsFinishing(fusion)) return done;
  float* data = checked.operands.out;
  const int64_t size = out.num_elements();
  if (done.IsConcrete()) {
    FinishMatMulFusion(fusion, data, size);
    return done;
  }
  return done.Map([fusion, data, size, memory = out.buffer()](Chain&) mutable {
    FinishMatMulFusion(fusion, data, size);
    memory.reset();  // before anybody hears of the result
    return Chain();
  });
}

Status FusedMatMulOnThisThread(const DenseHostTensor& a, const DenseHostTensor& b,
                               const DenseHostTensor& bias, MatMulFusion fusion,
                               DenseHostTensor& out, const MatMulOptions& options,
                               const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(CheckedMatMul checked, CheckFusedMatMul(a, b, bias, fusion, out, options));
  TFRT_RETURN_IF_ERROR(ComputeOnThisThread(exec_ctx, checked.problem, checked.operands));
  FinishMatMulFusion(fusion, checked.operands.out, out.num_elements());
  return OkStatus();
}

StatusOr<PackedMatrix> PackMatrix(const DenseHostTensor& b, int64_t rows, bool transpose_b,
                                  const ExecutionContext& exec_ctx) {
  constexpr std::string_view kName = "the matrix to pack";
  TFRT_RETURN_IF_ERROR(CheckRank(b, 2, kName));
  if (!IsHalf(b.dtype())) TFRT_RETURN_IF_ERROR(CheckDType(b, DType::kF32, kName));
  constexpr int64_t kMaxRows = std::numeric_limits<int32_t>::max();
  if (rows < 1 || rows > kMaxRows) {
    return InvalidArgumentError(StrCat("rows must be between 1 and ", kMaxRows, ", but is ", rows));
  }
  MatMulProblem problem;
  problem.transpose_b = transpose_b;
  problem.packed_b = true;
  MatrixSize size = SizeOf(b.shape(), transpose_b);
  SetSizes(problem, {rows, size.rows}, size);
  TFRT_ASSIGN_OR_RETURN(auto packed, contraction::PackTensor(problem, b, exec_ctx));
  return PackedMatrix{std::move(packed)};
}

}  // namespace tfrt::maths
