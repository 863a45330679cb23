// A box of a tensor, as tf.Slice takes it out.
#ifndef TFRT_KERNELS_CPU_SLICE_H_
#define TFRT_KERNELS_CPU_SLICE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tfrt/support/status.h"
#include "tfrt/tensor/shape.h"

namespace tfrt::cpu {

// Where the box begins, and its shape.
struct Box {
  std::vector<int64_t> begin;
  TensorShape shape;
};

// The box of `in` that has size[i] elements along dimension i from begin[i] on; a size of -1 is all
// that follow. InvalidArgument if there is not one number of each for each dimension, "slice: begin
// has 1 numbers, expected 2", and "slice: 3 elements from 2 on are not in dimension 0 of the shape
// [4]".
StatusOr<Box> BoxOf(const TensorShape& in, std::span<const int64_t> begin,
                    std::span<const int64_t> size);

// Rows of the box, which are what lies together along the last dimension.
size_t NumRows(const Box& box);

// Fills the rows [first, last) of `out`, a tensor of the box's shape. An element is `unit` Ts.
template <typename T>
void CopyBox(const Box& box, const TensorShape& in_shape, size_t unit, const T* in, T* out,
             size_t first, size_t last) {
  const size_t rank = in_shape.rank();
  const size_t row = rank == 0 ? unit : box.shape.dim(rank - 1) * unit;
  out += first * row;
  for (size_t r = first; r < last; ++r, out += row) {
    // Row r's coordinates in the box, last to first, make its offset in the tensor.
    size_t rest = r, stride = unit, offset = rank == 0 ? 0 : box.begin[rank - 1] * unit;
    for (size_t i = rank - (rank > 0); i-- > 0;) {
      stride *= in_shape.dim(i + 1);
      offset += (rest % box.shape.dim(i) + box.begin[i]) * stride;
      rest /= box.shape.dim(i);
    }
    std::copy_n(in + offset, row, out);
  }
}

}  // namespace tfrt::cpu

#endif  // TFRT_KERNELS_CPU_SLICE_H_
