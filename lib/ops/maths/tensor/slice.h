// Boxes of a tensor, as tf.Slice and tf.StridedSlice take them out.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_SLICE_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_SLICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lib/ops/maths/cpu/strided_copy.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// Selects elements of a tensor; has the shape of the result.
struct Box {
  // The elements begin, begin + stride, ..., `size` of them, of a dimension of `in_size`; all are
  // in it.
  struct Dim {
    int64_t in_size;
    int64_t begin;
    int64_t stride;
    int64_t size;
  };
  std::vector<Dim> dims;  // of the tensor, outermost first; dimensions taken whole may be one
  TensorShape shape;
};

// Returns the box of `in` that has size[i] elements along dimension i from begin[i] on; a size of
// -1 is all that follow. InvalidArgument unless both have one number for each dimension, "slice:
// begin has 1 numbers, expected 2". InvalidArgument also for a box outside of the tensor, "slice: 3
// elements from 2 on are not in dimension 0 of the shape [4]".
StatusOr<Box> BoxOf(const TensorShape& in, std::span<const int64_t> begin,
                    std::span<const int64_t> size);

// The meaning of entry i of begin, end and strides beside its number: bit i, from the lowest on.
struct SliceMasks {
  int64_t begin = 0;        // from the first element on, or the last one if the stride is negative
  int64_t end = 0;          // up to the last one, or the first one
  int64_t ellipsis = 0;     // all dimensions that the others leave over; one entry at most
  int64_t new_axis = 0;     // no dimension of `in` but a new one of size 1
  int64_t shrink_axis = 0;  // one element, begin[i], and no dimension in the result
};

// The box of `in` that Python's in[begin[0]:end[0]:strides[0], ...] means: numbers below 0 count
// from the end, and those past an end stop there. Where several masks have a bit, ellipsis comes
// before new_axis and that before shrink_axis; begin and end do not count for those three. As
// TensorFlow's tf.StridedSlice. InvalidArgument:
//   "strided_slice: begin, end and strides have 2, 1 and 2 numbers, expected as many of each, 32 at
//   most"
//   "strided_slice: the ellipsis mask 3 has more than one bit"
//   "strided_slice: 2 dimensions are indexed, but the shape [4] has 1"
//   "strided_slice: the stride of dimension 0 is 0"
//   "strided_slice: the stride of dimension 0, which is shrunk, is -1, expected 1 or more"
//   "strided_slice: index 4 is out of range for dimension 0 of the shape [4]"
StatusOr<Box> StridedBoxOf(const TensorShape& in, std::span<const int64_t> begin,
                           std::span<const int64_t> end, std::span<const int64_t> strides,
                           const SliceMasks& masks);

// Rows of the box, which are what it has along the last of `dims`, and the elements of each.
size_t NumRows(const Box& box);
inline size_t RowSize(const Box& box) { return box.dims.empty() ? 1 : box.dims.back().size; }

// Returns the plan that copies the box, which has elements, from element `first` of the tensor on.
CopyPlan BoxPlan(const Box& box, int64_t* first);

namespace internal {

// `count` elements of `unit` Ts that are `stride` elements apart in `in`.
template <size_t unit, typename T>
void CopyElements(const T* in, int64_t stride, size_t count, T* out) {
  for (size_t i = 0; i < count; ++i, in += stride * static_cast<int64_t>(unit), out += unit) {
    std::copy_n(in, unit, out);
  }
}

template <typename T>
void CopyRow(const T* in, int64_t stride, size_t count, size_t unit, T* out) {
  if (stride == 1) {
    std::copy_n(in, count * unit, out);
    return;
  }
  switch (unit) {
    case 1:
      return CopyElements<1>(in, stride, count, out);
    case 2:
      return CopyElements<2>(in, stride, count, out);
    case 4:
      return CopyElements<4>(in, stride, count, out);
    case 8:
      return CopyElements<8>(in, stride, count, out);
    default:
      for (size_t i = 0; i < count; ++i) {
        std::copy_n(in + static_cast<int64_t>(i) * stride * static_cast<int64_t>(unit), unit,
                    out + i * unit);
      }
  }
}

}  // namespace internal

// Fills the rows [first, last) of `out`, a tensor of the box's shape. An element is `unit` Ts.
template <typename T>
void CopyBox(const Box& box, size_t unit, const T* in, T* out, size_t first, size_t last) {
  if (box.dims.empty()) {
    if (first < last) std::copy_n(in, unit, out);
    return;
  }
  const Box::Dim& row = box.dims.back();
  const size_t row_size = row.size * unit;
  out += first * row_size;
  for (size_t r = first; r < last; ++r, out += row_size) {
    // Row r's coordinates in the box, last to first, make its offset in the tensor.
    auto rest = static_cast<int64_t>(r), offset = row.begin, in_stride = row.in_size;
    for (size_t i = box.dims.size() - 1; i-- > 0;) {
      const Box::Dim& dim = box.dims[i];
      offset += (dim.begin + rest % dim.size * dim.stride) * in_stride;
      rest /= dim.size;
      in_stride *= dim.in_size;
    }
    internal::CopyRow(in + offset * static_cast<int64_t>(unit), row.stride, row.size, unit, out);
  }
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_SLICE_H_
