// Products of few rows with a matrix of f16 or bf16 in panels (panel_products.h), in f32. Such
// products are bound by reading the matrix, which has half the bytes of one in f32.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_HALF_PRODUCTS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_HALF_PRODUCTS_H_

#include <cstdint>

namespace tfrt::contraction {

// More rows are computed as well, but faster with a matrix in f32.
inline constexpr int64_t kFewRows = 8;

// Whether this CPU has what the function below needs: AVX2, FMA and F16C.
bool CanMultiplyHalves();

// sums [rows, kPanelColumns] = a b, of one panel b [depth, kPanelColumns] of bf16 or f16 and at
// most kRowsAtOnce rows, `a_stride` apart.
inline constexpr int64_t kRowsAtOnce = 4;
void MultiplyHalfPanel(const float* a, int64_t a_stride, int64_t rows, const uint16_t* b,
                       int64_t depth, bool is_bf16, float* sums);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_HALF_PRODUCTS_H_
