// Products with a matrix that lies in panels: the inner loops, for CPUs with AVX-512.
//
// A matrix B [depth, columns] in panels is [columns / 64][depth][64]. The columns of a panel are
// adjacent and are read sequentially while the panel is computed with. Meanwhile the next panel is
// fetched from memory. The surplus columns of the last panel are zero.
#ifndef TFRT_LIB_OPS_MATHS_CONTRACTION_PANEL_PRODUCTS_H_
#define TFRT_LIB_OPS_MATHS_CONTRACTION_PANEL_PRODUCTS_H_

#include <cstdint>

#include "activation.h"

namespace tfrt::contraction {

using maths::Activation;

inline constexpr int64_t kPanelColumns = 64;

// Elements of `columns` columns in panels.
constexpr int64_t PanelFloats(int64_t columns, int64_t depth) {
  return (columns + kPanelColumns - 1) / kPanelColumns * kPanelColumns * depth;
}

// Puts B into panels: element (k, j) is at from[k * row_stride + j * column_stride], of which one
// stride is 1. T is float or, for floats of 16 bits, uint16_t.
template <typename T>
void PackPanels(const T* from, int64_t row_stride, int64_t column_stride, int64_t columns,
                int64_t depth, T* panels);

// out [rows, columns] = alpha * a b + bias + beta * out, b in panels; bias may be null.
struct PanelProduct {
  int64_t rows;
  int64_t columns;
  int64_t depth;
  const float* a;
  int64_t a_stride;  // from row to row
  const float* panels;
  float* out;
  int64_t out_stride;
  const float* bias;
  float alpha;
  float beta;
};
// Called with columns [first, first + count) of rows [row, row + rows) when they are complete.
using PanelDone = void (*)(const void* context, int64_t row, int64_t rows, int64_t first,
                           int64_t count);

// Whether this CPU has what the functions below need.
bool CanMultiplyPanels();
// On this thread. `done` may be null.
void MultiplyPanels(const PanelProduct& product, PanelDone done, const void* context);

// The activation of columns [0, columns) of so many rows, with multiplications fused with
// additions. False, and nothing done, if the function is none of those it has.
bool ActivatePanel(Activation activation, float* data, int64_t rows, int64_t columns,
                   int64_t stride);

}  // namespace tfrt::contraction

#endif  // TFRT_LIB_OPS_MATHS_CONTRACTION_PANEL_PRODUCTS_H_
