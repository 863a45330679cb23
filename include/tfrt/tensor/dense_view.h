// Typed views of dense tensors. A view is made once per kernel call, which checks the dtype (and
// that the tensor may be written). Reading through the view checks nothing.
#ifndef TFRT_TENSOR_DENSE_VIEW_H_
#define TFRT_TENSOR_DENSE_VIEW_H_

#include <cassert>
#include <cstddef>
#include <span>
#include <string_view>

#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {

// Returns InvalidArgument "NAME is a tensor of f32, expected i32" unless the tensor has the dtype.
// The `name` is the tensor's role in the kernel, for example "matmul output".
Status CheckDType(const Tensor& tensor, DType expected, std::string_view name);
// Returns InvalidArgument "NAME has the shape [2, 3], expected rank 1" unless the tensor has the
// rank.
Status CheckRank(const Tensor& tensor, size_t expected, std::string_view name);

// A view of the elements of a tensor of dtype DTypeOf<T>(). Valid as long as the tensor.
template <typename T>
class DenseView {
  static_assert(DTypeOf<T>() != DType::kUnsupported, "not an element type");

 public:
  static StatusOr<DenseView> Create(const DenseHostTensor& tensor, std::string_view name) {
    TFRT_RETURN_IF_ERROR(CheckDType(tensor, DTypeOf<T>(), name));
    return DenseView(&tensor.shape(), static_cast<const T*>(tensor.data()));
  }

  const TensorShape& shape() const { return *shape_; }
  size_t size() const { return size_; }
  const T* data() const { return data_; }
  std::span<const T> elements() const { return {data_, size_}; }
  const T& operator[](size_t index) const {
    assert(index < size_);
    return data_[index];
  }

 private:
  DenseView(const TensorShape* shape, const T* data)
      : shape_(shape), data_(data), size_(static_cast<size_t>(shape->num_elements())) {}
  const TensorShape* shape_;
  const T* data_;
  size_t size_;
};

// A DenseView for writing.
template <typename T>
class MutableDenseView {
  static_assert(DTypeOf<T>() != DType::kUnsupported, "not an element type");

 public:
  // Also fails with FailedPrecondition if the tensor is read-only.
  static StatusOr<MutableDenseView> Create(DenseHostTensor& tensor, std::string_view name) {
    TFRT_RETURN_IF_ERROR(CheckDType(tensor, DTypeOf<T>(), name));
    TFRT_ASSIGN_OR_RETURN(void* data, tensor.MutableData());
    return MutableDenseView(&tensor.shape(), static_cast<T*>(data));
  }

  const TensorShape& shape() const { return *shape_; }
  size_t size() const { return size_; }
  T* data() const { return data_; }
  std::span<T> elements() const { return {data_, size_}; }
  T& operator[](size_t index) const {
    assert(index < size_);
    return data_[index];
  }

 private:
  MutableDenseView(const TensorShape* shape, T* data)
      : shape_(shape), data_(data), size_(static_cast<size_t>(shape->num_elements())) {}
  const TensorShape* shape_;
  T* data_;
  size_t size_;
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_DENSE_VIEW_H_
