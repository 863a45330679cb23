// eager::Tensor: a tensor that ops take and give. Copies are cheap and share the elements, which no
// op changes while they are shared.
//
//   Tensor x = Tensor::FromSpan<float>({2, 2}, values);
//   Tensor y = Relu(MatMul(x, x));
//   StatusOr<std::span<const float>> elements = y.Values<float>();   // waits for them
#ifndef TFRT_EAGER_TENSOR_H_
#define TFRT_EAGER_TENSOR_H_

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/eager/tensor_state.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/tensor.h"

// Of dlpack/dlpack.h; tfrt/eager/dlpack.h has their layout, too.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace tfrt::eager {

class Context;
class Tensor;

// Elements in the program's own memory, to become a tensor where an op needs one. Owns the memory,
// or shares what keeps it alive.
class HostArray {
 public:
  // Copies `values`. Their number is the product of `dims`; otherwise the tensor is an error that
  // says so.
  template <typename T>
  HostArray(std::span<const int64_t> dims, std::span<const T> values)
      : HostArray(DTypeOf<T>(), dims, std::as_bytes(values)) {}
  template <typename T>
  HostArray(std::initializer_list<int64_t> dims, std::span<const T> values)
      : HostArray(std::span(dims.begin(), dims.size()), values) {}
  template <typename T>
  HostArray(std::initializer_list<int64_t> dims, std::initializer_list<T> values)
      : HostArray(std::span(dims.begin(), dims.size()), std::span(values.begin(), values.size())) {}
  HostArray(DType dtype, std::span<const int64_t> dims, std::span<const std::byte> bytes);

  // Uses the memory where it is, which must not change until `release` (may be empty) is called,
  // by any thread: when no tensor uses it any more. Copied, and released at once, if it is not
  // aligned for T.
  template <typename T>
  static HostArray Borrow(std::span<const int64_t> dims, std::span<const T> values,
                          std::function<void()> release) {
    return Borrow(DTypeOf<T>(), dims, std::as_bytes(values), std::move(release));
  }
  template <typename T>
  static HostArray Borrow(std::initializer_list<int64_t> dims, std::span<const T> values,
                          std::function<void()> release) {
    return Borrow(std::span(dims.begin(), dims.size()), values, std::move(release));
  }
  static HostArray Borrow(DType dtype, std::span<const int64_t> dims,
                          std::span<const std::byte> bytes, std::function<void()> release);
  // Takes the vector over, without a copy of its elements.
  template <typename T>
  static HostArray Take(std::span<const int64_t> dims, std::vector<T> values) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    std::span<const T> elements(*owner);
    return Borrow(dims, elements, [owner = std::move(owner)] {});
  }
  template <typename T>
  static HostArray Take(std::initializer_list<int64_t> dims, std::vector<T> values) {
    return Take(std::span(dims.begin(), dims.size()), std::move(values));
  }

  // The array as a tensor in host memory, or why there is none.
  const StatusOr<DenseHostTensor>& tensor() const { return *tensor_; }

 private:
  explicit HostArray(StatusOr<DenseHostTensor> tensor)
      : tensor_(std::make_shared<StatusOr<DenseHostTensor>>(std::move(tensor))) {}
  static StatusOr<DenseHostTensor> Wrap(DType dtype, std::span<const int64_t> dims,
                                        RCReference<HostBuffer> buffer);
  std::shared_ptr<const StatusOr<DenseHostTensor>> tensor_;
};

// One Tensor object is not synchronised; copies may be used by any threads. A tensor may outlive
// its context (context.h).
class Tensor {
 public:
  // No tensor: valid() is false. So is a Tensor that has been moved from.
  Tensor() = default;

  // On the device of the thread's scope (context.h), which the thread must have for these.
  template <typename T>
  static Tensor FromSpan(std::initializer_list<int64_t> dims, std::span<const T> values,
                         std::source_location where = std::source_location::current()) {
    return FromArray(HostArray(std::span(dims.begin(), dims.size()), values), where);
  }
  template <typename T>
  static Tensor Scalar(T value, std::source_location where = std::source_location::current()) {
    return FromArray(HostArray({}, std::span<const T>(&value, 1)), where);
  }
  static Tensor FromArray(const HostArray& array,
                          std::source_location where = std::source_location::current());
  // Takes over an array of another library in the DLPack exchange format; its deleter may be called
  // at once, or later, by any thread, which holds no lock of the runtime, after the results of the
  // op that used it last. Without a copy if it is row-major and aligned for its elements, which
  // then nobody may change. InvalidArgument if it is not in host memory, or of a version other
  // than 1.x, and then the array stays the caller's.
  static StatusOr<Tensor> FromDlpack(DLManagedTensor* array,
                                     std::source_location where = std::source_location::current());
  static StatusOr<Tensor> FromDlpack(DLManagedTensorVersioned* array,
                                     std::source_location where = std::source_location::current());
  // A view for another library, to be deleted through its deleter. Waits for the elements. On
  // another device than the host, of a copy. The elements must not be changed, which only the
  // versioned struct says.
  StatusOr<DLManagedTensor*> ToDlpack(
      std::source_location where = std::source_location::current()) const;
  StatusOr<DLManagedTensorVersioned*> ToDlpackVersioned(
      std::source_location where = std::source_location::current()) const;

  bool valid() const { return static_cast<bool>(state_); }

  // OK, or why there are no elements. Waits for them.
  Status status() const;
  // What is known now, without waiting: false while the elements are on their way.
  bool IsAvailable() const;
  bool IsError() const;  // available as an error

  // These wait, if they must, for what tells them. The error of a tensor that is one; of a tensor
  // that becomes one later, either. InvalidArgument for a tensor that is not valid.
  StatusOr<DType> dtype() const;
  StatusOr<TensorShape> shape() const;
  // "cpu:0". Empty for an error.
  std::string_view device() const;

  // The elements, in host memory. Waits; copies them there once if they are on another device.
  // Valid as long as a tensor that shares them: an op may overwrite those of the last one, if it is
  // moved there. InvalidArgument if T is not the element type.
  template <typename T>
  StatusOr<std::span<const T>> Values(
      std::source_location where = std::source_location::current()) const {
    TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* tensor, HostTensor(DTypeOf<T>(), where));
    return std::span(static_cast<const T*>(tensor->data()),
                     static_cast<size_t>(tensor->num_elements()));
  }
  // The only element.
  template <typename T>
  StatusOr<T> Item(std::source_location where = std::source_location::current()) const {
    TFRT_ASSIGN_OR_RETURN(auto values, Values<T>(where));
    if (values.size() != 1) return NotOneElement(values.size());
    return values[0];
  }
  // As tfrt_dht.print_tensor prints it, or "error: MESSAGE". Waits.
  std::string ToString() const;

  // The tensor on another device of its context, copied once: later calls, and ops that need it
  // there, get the same copy.
  Tensor CopyTo(std::string_view device,
                std::source_location where = std::source_location::current()) const;

  // For the runtime.
  explicit Tensor(RCReference<TensorState> state) : state_(std::move(state)) {}
  TensorState* state() const { return state_.get(); }
  RCReference<TensorState> TakeState() && { return std::move(state_); }

 private:
  // Of any type, if `expected` is kUnsupported.
  StatusOr<const DenseHostTensor*> HostTensor(DType expected, std::source_location where) const;
  static Status NotOneElement(size_t count);

  RCReference<TensorState> state_;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_TENSOR_H_
