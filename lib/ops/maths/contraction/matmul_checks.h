// Helpers that the functions of matrix products share.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_CHECKS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_CHECKS_H_

#include <initializer_list>
#include <string_view>

#include "problem.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {

inline constexpr std::string_view kFirst = "the first matmul input";
inline constexpr std::string_view kSecond = "the second matmul input";
inline constexpr std::string_view kOutput = "the matmul output";

// A matrix as a product reads it: [rows, columns], after transposition.
struct MatrixSize {
  int64_t rows;
  int64_t columns;
};

// Returns the size of the last two dimensions.
inline MatrixSize SizeOf(const TensorShape& shape, bool transpose) {
  const size_t rank = shape.rank();
  MatrixSize size{shape.dim(rank - 2), shape.dim(rank - 1)};
  return transpose ? MatrixSize{size.columns, size.rows} : size;
}

Status CheckInnerDimensions(const TensorShape& a, MatrixSize a_size, const TensorShape& b,
                            MatrixSize b_size);
Status CheckOutput(const TensorShape& a, MatrixSize a_size, const TensorShape& b, MatrixSize b_size,
                   const TensorShape& out);

// Checks the vector that is added to each row of a product. Fails with "Bias tensor must a vector"
// or "The number of bias elements 2 doesn't match output inner dimension 3".
Status CheckMatMulBias(const TensorShape& bias, int64_t columns);

// The problem's sizes and strides, for matrices that lie densely.
void SetSizes(contraction::MatMulProblem& problem, MatrixSize a, MatrixSize b);

// The tensor to write, checked to share no memory with what is read. Inputs may be null.
StatusOr<float*> OutputData(DenseHostTensor& out,
                            std::initializer_list<const DenseHostTensor*> inputs);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_MATMUL_CHECKS_H_
