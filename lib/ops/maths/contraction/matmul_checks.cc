#include "matmul_checks.h"

#include "lib/ops/maths/tensor/operand_checks.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {

Status CheckInnerDimensions(const TensorShape& a, MatrixSize a_size, const TensorShape& b,
                            MatrixSize b_size) {
  if (a_size.columns == b_size.rows) return OkStatus();
  return InvalidArgumentError(StrCat(
      "MatMul input tensors inner dimension mismatch: ", a.ToString(), " vs. ", b.ToString()));
}

Status CheckOutput(const TensorShape& a, MatrixSize a_size, const TensorShape& b, MatrixSize b_size,
                   const TensorShape& out) {
  MatrixSize out_size = SizeOf(out, false);
  if (out_size.rows == a_size.rows && out_size.columns == b_size.columns) return OkStatus();
  return InvalidArgumentError(StrCat("MatMul output shape ", out.ToString(),
                                     " does not match product shape of inputs: ", a.ToString(),
                                     " * ", b.ToString()));
}

Status CheckMatMulBias(const TensorShape& bias, int64_t columns) {
  if (bias.rank() != 1) return InvalidArgumentError("Bias tensor must a vector");
  if (bias.dim(0) == columns) return OkStatus();
  return InvalidArgumentError(StrCat("The number of bias elements ", bias.dim(0),
                                     " doesn't match output inner dimension ", columns));
}

void SetSizes(contraction::MatMulProblem& problem, MatrixSize a, MatrixSize b) {
  problem.m = a.rows;
  problem.k = a.columns;
  problem.n = b.columns;
  problem.a_row_stride = problem.transpose_a ? a.rows : a.columns;
  problem.b_row_stride = problem.transpose_b ? b.rows : b.columns;
  problem.out_row_stride = b.columns;
}

StatusOr<float*> OutputData(DenseHostTensor& out,
                            std::initializer_list<const DenseHostTensor*> inputs) {
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, kOutput));
  for (const DenseHostTensor* input : inputs) {
    if (input && Overlap(out, *input)) {
      return InvalidArgumentError("the matmul output shares memory with an input");
    }
  }
  return view.data();
}

}  // namespace tfrt::maths
