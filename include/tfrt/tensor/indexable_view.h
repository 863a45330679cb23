// DenseIndexableView<T, R>: the elements of a dense tensor of rank R by their coordinates.
//
//   TFRT_ASSIGN_OR_RETURN(auto in, (DenseIndexableView<float, 2>::Create(tensor, "the matrix")));
//   float x = in(1, 2);
//   auto row = in.Chip(1);            // rank 1: the second row
//   auto column = in.FixDim(1, 2);    // rank 1: the third column
#ifndef TFRT_TENSOR_INDEXABLE_VIEW_H_
#define TFRT_TENSOR_INDEXABLE_VIEW_H_

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt {

// A view with a stride, in elements, for each dimension. Element is const for views that only read.
// Valid as long as the tensor. Reading checks nothing in release builds.
template <typename Element, size_t R>
class StridedView {
 public:
  StridedView(Element* data, std::array<int64_t, R> dims, std::array<int64_t, R> strides)
      : data_(data), dims_(dims), strides_(strides) {}

  Element* data() const { return data_; }
  static constexpr size_t rank() { return R; }
  const std::array<int64_t, R>& dims() const { return dims_; }
  int64_t dim(size_t index) const { return dims_[index]; }
  const std::array<int64_t, R>& strides() const { return strides_; }

  // The element at these R coordinates, each 0 <= coordinate < dim.
  template <typename... Coordinates>
    requires(sizeof...(Coordinates) == R && (std::is_integral_v<Coordinates> && ...))
  Element& operator()(Coordinates... coordinates) const {
    return (*this)(std::array<int64_t, R>{static_cast<int64_t>(coordinates)...});
  }
  Element& operator()(const std::array<int64_t, R>& coordinates) const {
    int64_t offset = 0;
    for (size_t i = 0; i < R; ++i) {
      assert(coordinates[i] >= 0 && coordinates[i] < dims_[i]);
      offset += coordinates[i] * strides_[i];
    }
    return data_[offset];
  }

  // The elements with coordinate `index` in dimension `dimension`, which disappears.
  StridedView<Element, R - 1> FixDim(size_t dimension, int64_t index) const
    requires(R > 0)
  {
    assert(dimension < R && index >= 0 && index < dims_[dimension]);
    std::array<int64_t, R - 1> dims, strides;
    for (size_t from = 0, to = 0; from < R; ++from) {
      if (from == dimension) continue;
      dims[to] = dims_[from];
      strides[to++] = strides_[from];
    }
    return {data_ + index * strides_[dimension], dims, strides};
  }
  // The same in the first dimension: what remains lies together.
  StridedView<Element, R - 1> Chip(int64_t index) const
    requires(R > 0)
  {
    return FixDim(0, index);
  }

 private:
  Element* data_;
  std::array<int64_t, R> dims_;
  std::array<int64_t, R> strides_;
};

namespace internal {

template <typename Element, size_t R>
StridedView<Element, R> MakeStridedView(Element* data, const TensorShape& shape) {
  std::array<int64_t, R> dims, strides;
  for (size_t i = 0; i < R; ++i) dims[i] = shape.dim(i);
  RowMajorStrides(dims, strides);
  return {data, dims, strides};
}

}  // namespace internal

// For reading.
template <typename T, size_t R>
class DenseIndexableView : public StridedView<const T, R> {
 public:
  // InvalidArgument, with `name` as in DenseView, unless the tensor has dtype DTypeOf<T>() and rank
  // R.
  static StatusOr<DenseIndexableView> Create(const DenseHostTensor& tensor, std::string_view name) {
    TFRT_ASSIGN_OR_RETURN(auto view, DenseView<T>::Create(tensor, name));
    TFRT_RETURN_IF_ERROR(CheckRank(tensor, R, name));
    return DenseIndexableView(view);
  }

 private:
  explicit DenseIndexableView(const DenseView<T>& view)
      : StridedView<const T, R>(internal::MakeStridedView<const T, R>(view.data(), view.shape())) {}
};

// For writing too.
template <typename T, size_t R>
class MutableDenseIndexableView : public StridedView<T, R> {
 public:
  // Also FailedPrecondition if the tensor is read-only.
  static StatusOr<MutableDenseIndexableView> Create(DenseHostTensor& tensor,
                                                    std::string_view name) {
    TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<T>::Create(tensor, name));
    TFRT_RETURN_IF_ERROR(CheckRank(tensor, R, name));
    return MutableDenseIndexableView(view);
  }

 private:
  explicit MutableDenseIndexableView(const MutableDenseView<T>& view)
      : StridedView<T, R>(internal::MakeStridedView<T, R>(view.data(), view.shape())) {}
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_INDEXABLE_VIEW_H_
