// Repeating a tensor along its dimensions, as tf.Tile does.
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_TILE_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_TILE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lib/runtime/tensor/dense_integers.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::cpu {

// How often each dimension is repeated, and the shape that this gives.
struct Tiling {
  Integers multiples;
  TensorShape shape;
};

// Requires that `multiples` is a dense vector of i32 or i64, one number for each dimension of `in`.
// Otherwise, or if a dimension does not fit an i64, an InvalidArgument. The messages are "Tile
// multiples must be a vector", "Unsupported multiples data type" and "Tile multiples must have the
// same size as input rank". For a dimension: "Tile: dimension 0 of the shape [2] cannot be repeated
// -1 times".
StatusOr<Tiling> TilingOf(const TensorShape& in, const Tensor& multiples);

// Writes the block of dimension `dim` and those inside it, repeated, to `out` and returns its end.
// Leaves `in` after the last element that it read. An element is `unit` Ts. Neither tensor is
// empty.
template <typename T>
T* TileBlock(const TensorShape& in_shape, std::span<const int64_t> multiples, size_t dim,
             size_t unit, const T*& in, T* out) {
  T* const begin = out;
  if (dim == in_shape.rank()) {
    out = std::copy_n(in, unit, out);
    in += unit;
    return out;
  }
  if (dim + 1 == in_shape.rank()) {
    const size_t count = in_shape.dim(dim) * unit;
    out = std::copy_n(in, count, out);
    in += count;
  } else {
    for (int64_t i = 0; i < in_shape.dim(dim); ++i) {
      out = TileBlock(in_shape, multiples, dim + 1, unit, in, out);
    }
  }
  T* const end = out;
  for (int64_t i = 1; i < multiples[dim]; ++i) out = std::copy(begin, end, out);
  return out;
}

// Fills `out`, a tensor of the tiling's shape that does not overlap `in`.
template <typename T>
void Tile(const Tiling& tiling, const TensorShape& in_shape, size_t unit, const T* in, T* out) {
  if (tiling.shape.num_elements() > 0) TileBlock(in_shape, tiling.multiples, 0, unit, in, out);
}

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_TILE_H_
