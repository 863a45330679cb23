// How sums of products of bytes become the elements of a result.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_TAIL_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_TAIL_H_

#include <cstdint>

#include "activation.h"
#include "tfrt/opinfo/element_type.h"

namespace tfrt::contraction {

// Zero points and an integer bias add this to the sums of some rows and columns, modulo 2^32:
//   sum += a_zeros[row] * a_zero_terms[column] - row_sums[row] * b_zeros[column] + terms[column]
// Null pointers leave their part out; both of a product are null or not.
struct SumTerms {
  const int32_t* a_zeros = nullptr;
  const int32_t* a_zero_terms = nullptr;
  const int32_t* row_sums = nullptr;
  const int32_t* b_zeros = nullptr;
  const int32_t* terms = nullptr;
};

// The tail makes this of all sums of a product, which is [rows, columns]. Borrowed.
//   x = activation(sum * scales[column] + bias[column] + addend), in f32
//   out = x, or x / out_scale, rounded to the nearest even, + out_zero, in 8 bits
// Null pointers leave their part out; without scales `out` is the sums, in i32.
struct ByteTail {
  const float* scales = nullptr;
  const float* bias = nullptr;
  const float* addend = nullptr;  // lies as `out` does
  maths::ActivationWithParameters activation;
  DType dtype = DType::kI32;  // of out: i32, f32, i8, ui8
  float out_scale = 1;
  float out_zero = 0;
  void* out = nullptr;
  int64_t row_stride = 0, column_stride = 1;  // of out, in elements
};

// The columns of a call of FinishSums are at most so many.
inline constexpr int64_t kTailColumns = 64;

// Completes some rows and columns of the product, whose sums are `stride` apart and are
// overwritten. `terms` are of these rows and columns alone.
void FinishSums(const ByteTail& tail, const SumTerms& terms, int32_t* sums, int64_t stride,
                int64_t first_row, int64_t rows, int64_t first_column, int64_t columns);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_BYTE_TAIL_H_
