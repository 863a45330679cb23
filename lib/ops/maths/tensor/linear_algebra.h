// Decompositions of f32 and f64 matrices by Eigen. All work on the matrices in the last two
// dimensions of tensors, several at the same time. Shapes and dtypes are as the op table's shape
// functions give them (lib/format/op_table/linear_algebra_ops.cc), which callers have checked.
//
// Matrices with an infinity or a NaN have results of NaN, where the algorithm would not end.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_LINEAR_ALGEBRA_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_LINEAR_ALGEBRA_H_

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// An error if a matrix is not positive definite: "cholesky: matrix 2 is not positive definite".
Completion Cholesky(const DenseHostTensor& x, bool upper, DenseHostTensor& y,
                    const ExecutionContext& exec_ctx);
Completion Qr(const DenseHostTensor& x, DenseHostTensor& q, DenseHostTensor& r,
              const ExecutionContext& exec_ctx);
// Null: only the singular values are computed.
Completion Svd(const DenseHostTensor& x, DenseHostTensor* u, DenseHostTensor& s,
               DenseHostTensor* vh, const ExecutionContext& exec_ctx);
// Null: only the eigenvalues are computed.
Completion Eigh(const DenseHostTensor& x, bool lower, DenseHostTensor& values,
                DenseHostTensor* vectors, const ExecutionContext& exec_ctx);
// An error if a matrix is singular: "solve: matrix 2 is singular".
Completion Solve(const DenseHostTensor& a, const DenseHostTensor& b, bool transpose_a,
                 DenseHostTensor& y, const ExecutionContext& exec_ctx);
Completion Inverse(const DenseHostTensor& x, DenseHostTensor& y, const ExecutionContext& exec_ctx);
Completion Determinant(const DenseHostTensor& x, DenseHostTensor& y,
                       const ExecutionContext& exec_ctx);
Completion Slogdet(const DenseHostTensor& x, DenseHostTensor& sign, DenseHostTensor& logabsdet,
                   const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_LINEAR_ALGEBRA_H_
