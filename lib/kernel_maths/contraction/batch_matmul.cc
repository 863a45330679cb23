#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "contractions.h"
#include "matmul_checks.h"
#include "tfrt/kernel_maths/batch_broadcast.h"
#include "tfrt/kernel_maths/matmul.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::maths {
namespace {

using contraction::Compute;
using contraction::ComputeEach;
using contraction::MatMulProblem;
using contraction::Operands;

// What the leading dimensions [...] of out [...,M,N] = a [...,M,K] * b [...,K,N] should be.
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

}  // namespace

Completion BatchMatMul(float alpha, const DenseHostTensor& a, const DenseHostTensor& b,
                       bool transpose_a, bool transpose_b, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(a, DType::kF32, kFirst));
  TFRT_RETURN_IF_ERROR(CheckDType(b, DType::kF32, kSecond));
  for (auto [shape, name] :
       {std::pair{&a.shape(), kFirst}, {&b.shape(), kSecond}, {&out.shape(), kOutput}}) {
    if (shape->rank() >= 2) continue;
    return InvalidArgumentError(
        StrCat(name, " has the shape ", shape->ToString(), ", expected at least rank 2"));
  }
  TFRT_RETURN_IF_ERROR(CheckLeadingDimensions(a.shape(), b.shape(), out.shape()));
  MatMulProblem problem;
  problem.alpha = alpha;
  problem.is_transient = std::isnan(alpha);
  problem.transpose_a = transpose_a;
  problem.transpose_b = transpose_b;
  MatrixSize a_size = SizeOf(a.shape(), transpose_a), b_size = SizeOf(b.shape(), transpose_b);
  TFRT_RETURN_IF_ERROR(CheckInnerDimensions(a.shape(), a_size, b.shape(), b_size));
  TFRT_RETURN_IF_ERROR(CheckOutput(a.shape(), a_size, b.shape(), b_size, out.shape()));
  SetSizes(problem, a_size, b_size);
  Operands operands;
  operands.a = static_cast<const float*>(a.data());
  operands.b = static_cast<const float*>(b.data());
  TFRT_ASSIGN_OR_RETURN(operands.out, OutputData(out, {&a, &b}));
  if (out.num_elements() == 0) return GetReadyChain();
  BatchBroadcast batch(a.shape(), b.shape());
  TakeInnermost(problem, batch.dims);
  const auto operand_tensors = {&a, &b, const_cast<const DenseHostTensor*>(&out)};
  if (batch.dims.empty()) {
    return Compute<MatMulProblem>(exec_ctx, problem, operands, nullptr, operand_tensors);
  }
  std::vector<Operands> products(batch.size(), operands);
  const int64_t out_size = problem.batch * problem.m * problem.n;
  for (size_t i = 0; i < products.size(); ++i) {
    BatchBroadcast::Pair pair = batch.At(static_cast<int64_t>(i));
    products[i].a += pair.a * a_size.rows * a_size.columns;
    products[i].b += pair.b * b_size.rows * b_size.columns;
    products[i].out += static_cast<int64_t>(i) * out_size;
  }
  return ComputeEach(exec_ctx, problem, products, operand_tensors);
}

}  // namespace tfrt::maths
