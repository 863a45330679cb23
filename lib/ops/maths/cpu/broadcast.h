// How the elements of two inputs meet under NumPy's broadcasting.
#ifndef TFRT_LIB_OPS_MATHS_CPU_BROADCAST_H_
#define TFRT_LIB_OPS_MATHS_CPU_BROADCAST_H_

#include <cstdint>

#include "elementwise.h"
#include "odometer.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// Describes the output as blocks [rows,columns], with as few dimensions as the two inputs' layouts
// allow. For example, two inputs of one shape are one row, and a bias added to images is one block.
struct BroadcastPlan {
  // `out` is BroadcastShape(a, b) and has elements.
  BroadcastPlan(const TensorShape& a, const TensorShape& b, const TensorShape& out);

  StridedDims<2> outer;  // of the blocks, with the strides of a and b
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t a_row_stride = 0;
  int64_t b_row_stride = 0;
  bool a_repeats = false;
  bool b_repeats = false;

  // The units that are distributed: rows of all blocks, or, if there is only one row, its columns.
  bool splits_columns() const { return rows == 1 && outer.dims.empty(); }
  int64_t num_units() const { return splits_columns() ? columns : outer.num_elements() * rows; }
  int64_t unit_size() const { return splits_columns() ? 1 : columns; }

  template <typename T>
  void Run(BinaryOp op, const T* a, const T* b, T* out, int64_t begin, int64_t end) const;
};

extern template void BroadcastPlan::Run(BinaryOp, const float*, const float*, float*, int64_t,
                                        int64_t) const;
extern template void BroadcastPlan::Run(BinaryOp, const int32_t*, const int32_t*, int32_t*, int64_t,
                                        int64_t) const;

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_BROADCAST_H_
