#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "contractions.h"
#include "lib/ops/maths/cpu/strided_copy.h"
#include "lib/ops/maths/shapes/batch_broadcast.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "matmul.h"
#include "matmul_checks.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using contraction::Compute;
using contraction::ComputeEach;
using contraction::MatMulProblem;
using contraction::Operands;

// Checks the leading dimensions [...] of out [...,M,N] = a [...,M,K] * b [...,K,N].
Status CheckLeadingDimensions(const TensorShape& a, const TensorShape& b, const TensorShape& out) {
  bool fits = out.rank() == std::max(a.rank(), b.rank());
  for (size_t back = 2; fits && back < out.rank(); ++back) {
    const int64_t x = back < a.rank() ? a.dim(a.rank() - 1 - back) : 1;
    const int64_t y = back < b.rank() ? b.dim(b.rank() - 1 - back) : 1;
    fits = (x == y || x == 1 || y == 1) && out.dim(out.rank() - 1 - back) == (x == 1 ? y : x);
  }
  if (fits) return OkStatus();
  return InvalidArgumentError(StrCat("the leading dimensions of a batch matmul do not fit: ",
                                     a.ToString(), " * ", b.ToString(), " = ", out.ToString()));
}

// Makes `problem`, the product of single matrices, that of all the innermost ones that a plan can
// compute at once; `dims` are left for the others.
void TakeInnermost(MatMulProblem& problem, std::vector<BatchBroadcast::Dim>& dims) {
  int64_t a_taken = 1;
  if (!dims.empty() && !problem.transpose_a && dims.back().a_stride == 1 &&
      dims.back().b_stride == 0) {
    // Matrices below each other times one matrix: one tall matrix.
    a_taken = dims.back().size;
    problem.m *= a_taken;
    dims.pop_back();
  }
  if (!dims.empty() && dims.back().a_stride == a_taken && dims.back().b_stride == 1) {
    problem.batch = dims.back().size;
    dims.pop_back();
  }
}

// The packed matrix's shape, as it was given.
TensorShape ShapeOf(const MatrixOperand& b) {
  if (b.plain) return b.plain->shape();
  const MatMulProblem& p = b.packed->state->problem();
  return p.transpose_b ? TensorShape{p.n, p.k} : TensorShape{p.k, p.n};
}

// out += bias for each row of n elements; or out = bias.
void AddBias(const float* bias, int64_t n, bool adds, float* out, int64_t size) {
  for (int64_t i = 0; i < size; i += n, out += n) {
    if (adds) {
      for (int64_t j = 0; j < n; ++j) out[j] += bias[j];
    } else {
      std::copy_n(bias, n, out);
    }
  }
}

}  // namespace

Completion FusedBatchMatMul(const DenseHostTensor& a, const MatrixOperand& b,
                            const FusedProduct& fused, DenseHostTensor& out,
                            const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(a, DType::kF32, kFirst));
  if (b.plain) TFRT_RETURN_IF_ERROR(CheckDType(*b.plain, DType::kF32, kSecond));
  const TensorShape b_shape = ShapeOf(b);
  for (auto [shape, name] :
       {std::pair{&a.shape(), kFirst}, {&b_shape, kSecond}, {&out.shape(), kOutput}}) {
    if (shape->rank() >= 2) continue;
    return InvalidArgumentError(
        StrCat(name, " has the shape ", shape->ToString(), ", expected at least rank 2"));
  }
  if (b.packed && b.packed->state->problem().transpose_b != fused.transpose_b) {
    return InvalidArgumentError("the packed matrix and the matmul differ in transpose_b");
  }
  TFRT_RETURN_IF_ERROR(CheckLeadingDimensions(a.shape(), b_shape, out.shape()));
  MatMulProblem problem;
  problem.alpha = fused.scale;
  problem.is_transient = std::isnan(fused.scale);
  problem.transpose_a = fused.transpose_a;
  problem.transpose_b = fused.transpose_b;
  problem.packed_b = b.packed != nullptr;
  problem.in_bf16 = b.packed && b.packed->state->problem().in_bf16;
  problem.beta = fused.add_to_output || fused.addend ? 1 : 0;
  problem.activation = fused.activation.kind;
  problem.activation_alpha = fused.activation.alpha;
  problem.activation_beta = fused.activation.beta;
  MatrixSize a_size = SizeOf(a.shape(), fused.transpose_a),
             b_size = SizeOf(b_shape, fused.transpose_b);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b_shape, b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b_shape, b_size, out.shape()));
  SetSizes(problem, a_size, b_size);
  Operands operands;
  operands.a = static_cast<const float*>(a.data());
  if (b.plain) operands.b = static_cast<const float*>(b.plain->data());
  TFRT_ASSIGN_OR_RETURN(operands.out, OutputData(out, {&a, b.plain, fused.bias, fused.addend}));
  if (fused.bias) {
    TFRT_ASSIGN_OR_RETURN(operands.bias, VectorOf("matmul", *fused.bias, problem.n, "bias"));
  }
  if (out.num_elements() == 0) return GetReadyChain();
  if (fused.addend) {
    TFRT_RETURN_IF_ERROR(CheckDType(*fused.addend, DType::kF32, "the addend"));
    const cpu::CopyPlan plan = cpu::BroadcastToPlan(fused.addend->shape(), out.shape());
    cpu::Copy(plan, sizeof(float), fused.addend->data(), operands.out, 0, plan.num_units());
  }
  // Libraries scale the bias, too: then it comes from the output.
  if (operands.bias && fused.scale != 1) {
    AddBias(operands.bias, problem.n, problem.beta != 0, operands.out, out.num_elements());
    problem.beta = 1;
    operands.bias = nullptr;
  }
  problem.has_bias = operands.bias != nullptr;
  BatchBroadcast batch(a.shape(), b_shape);
  TakeInnermost(problem, batch.dims);
  const auto tensors = {&a, b.plain, fused.bias, const_cast<const DenseHostTensor*>(&out)};
  if (batch.dims.empty()) {
    return Compute<MatMulProblem>(exec_ctx, problem, operands,
                                  b.packed ? &b.packed->state : nullptr, tensors);
  }
  if (b.packed) {
    return InvalidArgumentError("a packed matrix is not for several transposed matrices");
  }
  std::vector<Operands> products(batch.size(), operands);
  const int64_t out_size = problem.batch * problem.m * problem.n;
  for (size_t i = 0; i < products.size(); ++i) {
    BatchBroadcast::Pair pair = batch.At(static_cast<int64_t>(i));
    products[i].a += pair.a * a_size.rows * a_size.columns;
    products[i].b += pair.b * b_size.rows * b_size.columns;
    products[i].out += static_cast<int64_t>(i) * out_size;
  }
  return ComputeEach(exec_ctx, problem, products, tensors);
}

Completion BatchMatMul(float alpha, const DenseHostTensor& a, const DenseHostTensor& b,
                       bool transpose_a, bool transpose_b, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx) {
  return FusedBatchMatMul(a, b,
                          {.transpose_a = transpose_a, .transpose_b = transpose_b, .scale = alpha},
                          out, exec_ctx);
}

}  // namespace tfrt::maths
