// FixedRankShape<N>: a shape whose rank is known when the program is compiled.
#ifndef TFRT_LIB_RUNTIME_TENSOR_FIXED_RANK_SHAPE_H_
#define TFRT_LIB_RUNTIME_TENSOR_FIXED_RANK_SHAPE_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/shape.h"

namespace tfrt {

// Holds the N dimensions of a TensorShape. num_elements(), Strides() and ToShape() need a shape
// that Create made.
template <size_t N>
class FixedRankShape {
 public:
  static constexpr std::string_view kProgramTypeName = "fixed-rank shape";
  // InvalidArgument "shape [2, 3] has rank 2, expected 1".
  static StatusOr<FixedRankShape> Create(const TensorShape& shape) {
    if (shape.rank() != N) {
      return InvalidArgumentError(
          StrCat("shape ", shape.ToString(), " has rank ", shape.rank(), ", expected ", N));
    }
    FixedRankShape result;
    for (size_t i = 0; i < N; ++i) result.dims_[i] = shape.dim(i);
    return result;
  }

  static constexpr size_t rank() { return N; }
  const std::array<int64_t, N>& dims() const { return dims_; }
  int64_t dim(size_t index) const {
    assert(index < N);
    return dims_[index];
  }
  int64_t num_elements() const {
    int64_t product = 1;
    for (int64_t dim : dims_) product *= dim;
    return product;
  }
  // Returns the row-major strides, in elements.
  std::array<int64_t, N> Strides() const {
    std::array<int64_t, N> strides;
    RowMajorStrides(dims_, strides);
    return strides;
  }
  TensorShape ToShape() const { return *TensorShape::Create(dims_); }
  std::string ToString() const { return DimsToString(dims_); }

  friend bool operator==(const FixedRankShape&, const FixedRankShape&) = default;

 private:
  FixedRankShape() = default;
  std::array<int64_t, N> dims_{};
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_FIXED_RANK_SHAPE_H_
