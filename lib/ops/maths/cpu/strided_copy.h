// Copies between layouts: transpositions, broadcasts, boxes, repetitions, of elements of any type.
#ifndef TFRT_LIB_OPS_MATHS_CPU_STRIDED_COPY_H_
#define TFRT_LIB_OPS_MATHS_CPU_STRIDED_COPY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "odometer.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// Dimensions of an output, outermost first, with their strides, in elements, in the input and in
// the output. In the input a stride may be 0 (the same elements again) or negative.
using CopyDims = std::vector<StridedDims<2>::Dim>;

// Describes a copy with as few dimensions as it needs. Rows that stay together are copied as they
// are, and one element for a whole row fills it. Where the innermost dimensions of input and output
// differ, tiles of both are transposed.
struct CopyPlan {
  // The innermost dimension of more than one element has stride 1 in the output; none has size 0.
  explicit CopyPlan(const CopyDims& dims);

  static constexpr int64_t kTile = 16;

  StridedDims<2> outer;  // with strides of input and output
  // Columns of the output are consecutive there, and `column_stride` apart in the input. Rows are
  // consecutive in the input if the columns are not and there is such a dimension.
  int64_t columns = 1;
  int64_t column_stride = 1;
  int64_t rows = 1;
  int64_t in_row_stride = 0;
  int64_t row_stride = 0;  // in the output

  int64_t tile_rows = kTile;  // what is handed out at once, of a block of all rows and columns

  int64_t tiles_per_block() const { return (rows - 1) / tile_rows + 1; }
  int64_t num_units() const { return outer.num_elements() * tiles_per_block(); }
  int64_t unit_size() const { return columns * (rows < tile_rows ? rows : tile_rows); }
};
// Units [begin, end) of the plan. Elements of 1, 2, 4, 8 or 16 bytes; `in` is that of position 0.
void Copy(const CopyPlan& plan, size_t element_size, const void* in, void* out, int64_t begin,
          int64_t end);

// The strides of a row-major tensor.
std::vector<int64_t> RowMajorStrides(const TensorShape& shape);

// Dimension i of the output is dimension permutation[i] of `in`, which has elements.
CopyPlan TransposePlan(const TensorShape& in, std::span<const int64_t> permutation);
// NumPy's broadcasting of `in` to `out`, which has elements and at least its rank.
CopyPlan BroadcastToPlan(const TensorShape& in, const TensorShape& out);
// `in`, which has elements, repeated multiples[i] times along dimension i; none is 0.
CopyPlan TilePlan(const TensorShape& in, std::span<const int64_t> multiples);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_STRIDED_COPY_H_
