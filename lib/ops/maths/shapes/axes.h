// Axes of tensors. One may be negative: it counts from the end then.
#ifndef TFRT_LIB_OPS_MATHS_SHAPES_AXES_H_
#define TFRT_LIB_OPS_MATHS_SHAPES_AXES_H_

#include <cstdint>
#include <span>

#include "lib/base/support/inline_vector.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {

// The number of elements of the dimensions [begin, end).
inline int64_t SizeOfDims(const TensorShape& shape, size_t begin, size_t end) {
  int64_t size = 1;
  for (size_t i = begin; i < end; ++i) size *= shape.dim(i);
  return size;
}

// -rank <= axis < rank -> 0 <= axis < rank. "axis 2 is out of range for the shape [2, 3]"
StatusOr<size_t> NormalizeAxis(int64_t axis, const TensorShape& shape);

// An error unless the numbers name each of `rank` dimensions once.
// "3 numbers are not a permutation of 2 dimensions"
Status CheckPermutation(std::span<const int64_t> permutation, size_t rank);

// The axes that are reduced, in ascending order; no axes means all.
// "axis 1 is reduced twice"
using Axes = InlineVector<size_t, 8>;
StatusOr<Axes> NormalizeAxes(std::span<const int64_t> axes, const TensorShape& in);
// Returns the shape that remains when these axes are reduced.
StatusOr<TensorShape> ReducedShape(const TensorShape& in, std::span<const size_t> axes,
                                   bool keep_dims);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_MATHS_SHAPES_AXES_H_
