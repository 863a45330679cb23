// A matrix product for the gradients of convolutions.
#ifndef TFRT_LIB_OPS_MATHS_CPU_GEMM_H_
#define TFRT_LIB_OPS_MATHS_CPU_GEMM_H_

#include <cstdint>

namespace tfrt::cpu {

// Computes c [m,n] += a [m,k] * b [k,n]. Element (i, j) of `a` is a[i * a_row_stride + j *
// a_column_stride], so that a transposed matrix needs no copy. Rows of b and c are b_stride and
// c_stride apart. The sums run over k in order: the result depends on nothing but the operands.
void GemmAccumulate(int64_t m, int64_t n, int64_t k, const float* a, int64_t a_row_stride,
                    int64_t a_column_stride, const float* b, int64_t b_stride, float* c,
                    int64_t c_stride);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_GEMM_H_
