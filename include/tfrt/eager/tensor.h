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
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/eager/names.h"
#include "tfrt/eager/tensor_state.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/location.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/foreign_stream.h"
#include "tfrt/tensor/tensor.h"

// Types of dlpack/dlpack.h; lib/api/eager/dlpack.h has their layout, too.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace tfrt::eager {

class Context;
class Operand;
class Tensor;
class TensorArgument;

namespace arrays {
class IndexList;
}

// Elements in the program's own memory, to become a tensor where an op needs one. Owns the memory,
// or shares what keeps it alive; copies share it. May be used by any threads.
class HostArray {
 public:
  // Copies `values`. Their number is the product of `dims`; otherwise the tensor is an error that
  // says so.
  template <TensorElement T>
  HostArray(std::span<const int64_t> dims, std::span<const T> values)
      : HostArray(DTypeOf<T>(), dims, std::as_bytes(values)) {}
  template <TensorElement T>
  HostArray(std::initializer_list<int64_t> dims, std::span<const T> values)
      : HostArray(std::span(dims.begin(), dims.size()), values) {}
  template <TensorElement T>
  HostArray(std::initializer_list<int64_t> dims, std::initializer_list<T> values)
      : HostArray(std::span(dims.begin(), dims.size()), std::span(values.begin(), values.size())) {}
  // Makes an array of a vector, an array, a span: any contiguous range.
  template <std::ranges::contiguous_range Range>
    requires TensorElement<std::ranges::range_value_t<Range>>
  HostArray(std::span<const int64_t> dims, const Range& values)
      : HostArray(dims, ElementsOf(values)) {}
  template <std::ranges::contiguous_range Range>
    requires TensorElement<std::ranges::range_value_t<Range>>
  HostArray(std::initializer_list<int64_t> dims, const Range& values)
      : HostArray(std::span(dims.begin(), dims.size()), ElementsOf(values)) {}
  HostArray(DType dtype, std::span<const int64_t> dims, std::span<const std::byte> bytes);

  // Makes an array of nested lists, which also give the shape: Of({{1, 2}, {3, 4}}) is i32 [2, 2],
  // and Of<float>({{1, 2}, {3, 4}}) f32. Rows of different lengths are errors of the compiler.
  template <typename As = void, TensorElement T, size_t N>
  static HostArray Of(const T (&values)[N]) {
    return OfNested<As, T>({N}, &values[0]);
  }
  template <typename As = void, TensorElement T, size_t N, size_t M>
  static HostArray Of(const T (&values)[N][M]) {
    return OfNested<As, T>({N, M}, &values[0][0]);
  }
  template <typename As = void, TensorElement T, size_t N, size_t M, size_t K>
  static HostArray Of(const T (&values)[N][M][K]) {
    return OfNested<As, T>({N, M, K}, &values[0][0][0]);
  }
  template <typename As = void, TensorElement T, size_t N, size_t M, size_t K, size_t L>
  static HostArray Of(const T (&values)[N][M][K][L]) {
    return OfNested<As, T>({N, M, K, L}, &values[0][0][0][0]);
  }

  // Uses the memory in place. It must not change until `release` (may be empty) is called, by any
  // thread, when no tensor uses it any more. If the memory is not aligned for T, it is copied and
  // released at once. A `release` that throws ends the program.
  template <TensorElement T>
  static HostArray Borrow(std::span<const int64_t> dims, std::span<const T> values,
                          std::function<void()> release) {
    return Borrow(DTypeOf<T>(), dims, std::as_bytes(values), std::move(release));
  }
  template <TensorElement T>
  static HostArray Borrow(std::initializer_list<int64_t> dims, std::span<const T> values,
                          std::function<void()> release) {
    return Borrow(std::span(dims.begin(), dims.size()), values, std::move(release));
  }
  static HostArray Borrow(DType dtype, std::span<const int64_t> dims,
                          std::span<const std::byte> bytes, std::function<void()> release);
  // Takes the vector over, without a copy of its elements.
  template <TensorElement T>
  static HostArray Take(std::span<const int64_t> dims, std::vector<T> values) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    std::span<const T> elements(*owner);
    return Borrow(dims, elements, [owner = std::move(owner)] {});
  }
  template <TensorElement T>
  static HostArray Take(std::initializer_list<int64_t> dims, std::vector<T> values) {
    return Take(std::span(dims.begin(), dims.size()), std::move(values));
  }

  // The array as a tensor in host memory, or why there is none. Not of a temporary, with which it
  // may go: give the array a name.
  const StatusOr<DenseHostTensor>& tensor() const& { return shared_->tensor; }
  const StatusOr<DenseHostTensor>& tensor() const&& = delete;

 private:
  friend class TensorArgument;
  struct Shared : ReferenceCounted<Shared> {
    explicit Shared(StatusOr<DenseHostTensor> tensor) : tensor(std::move(tensor)) {}
    const StatusOr<DenseHostTensor> tensor;
  };
  HostArray() = default;  // none
  explicit HostArray(StatusOr<DenseHostTensor> tensor)
      : shared_(MakeRef<Shared>(std::move(tensor))) {}
  template <std::ranges::contiguous_range Range>
  static std::span<const std::ranges::range_value_t<Range>> ElementsOf(const Range& values) {
    return {std::ranges::data(values), std::ranges::size(values)};
  }
  template <typename As, typename T>
  static HostArray OfNested(std::initializer_list<int64_t> dims, const T* values) {
    int64_t count = 1;
    for (int64_t dim : dims) count *= dim;
    std::span<const T> elements(values, static_cast<size_t>(count));
    if constexpr (std::is_void_v<As> || std::is_same_v<As, T>) {
      return HostArray(dims, elements);
    } else {
      std::unique_ptr<As[]> converted(new As[elements.size()]);
      for (size_t i = 0; i < elements.size(); ++i) converted[i] = static_cast<As>(elements[i]);
      return HostArray(dims, std::span<const As>(converted.get(), elements.size()));
    }
  }
  static StatusOr<DenseHostTensor> Wrap(DType dtype, std::span<const int64_t> dims,
                                        RCReference<HostBuffer> buffer);
  RCReference<Shared> shared_;
};

// One Tensor object is not synchronised; copies may be used by any threads. A tensor may outlive
// its context (context.h).
class Tensor {
 public:
  // No tensor: valid() is false. So is a Tensor that has been moved from.
  Tensor() = default;

  // On the device of the thread's scope (context.h), which the thread must have for these.
  template <TensorElement T>
  static Tensor FromSpan(std::initializer_list<int64_t> dims, std::span<const T> values,
                         Location where = Here()) {
    return FromArray(HostArray(std::span(dims.begin(), dims.size()), values), where);
  }
  template <TensorElement T>
  static Tensor Scalar(T value, Location where = Here()) {
    return FromArray(HostArray({}, std::span<const T>(&value, 1)), where);
  }
  // Makes a tensor of nested lists, as HostArray::Of.
  template <typename As = void, TensorElement T, size_t N>
  static Tensor Of(const T (&values)[N], Location where = Here()) {
    return FromArray(HostArray::Of<As>(values), where);
  }
  template <typename As = void, typename T, size_t N, size_t M>
  static Tensor Of(const T (&values)[N][M], Location where = Here()) {
    return FromArray(HostArray::Of<As>(values), where);
  }
  template <typename As = void, typename T, size_t N, size_t M, size_t K>
  static Tensor Of(const T (&values)[N][M][K], Location where = Here()) {
    return FromArray(HostArray::Of<As>(values), where);
  }
  template <typename As = void, typename T, size_t N, size_t M, size_t K, size_t L>
  static Tensor Of(const T (&values)[N][M][K][L], Location where = Here()) {
    return FromArray(HostArray::Of<As>(values), where);
  }
  static Tensor FromArray(const HostArray& array, Location where = Here());
  // Takes over an array of another library in the DLPack exchange format. Its deleter may be called
  // at once, or later, after the results of the op that used it last. The thread that calls it may
  // be any, and holds no lock of the runtime. Nothing is copied if the array is row-major and
  // aligned for its elements; then it must not be changed. InvalidArgument if it is of a version
  // other than 1.x, or neither in host memory nor on a GPU of the scope's context. Then the array
  // stays the caller's.
  //
  // An array on a GPU must be row-major and aligned, and becomes a tensor there. Commands on the
  // tensor run after those that `stream` has by now. The deleter is called after the last of them.
  static StatusOr<Tensor> FromDlpack(DLManagedTensor* array, Location where = Here()) {
    return FromDlpack(array, ForeignStream::kLegacyDefault, where);
  }
  static StatusOr<Tensor> FromDlpack(DLManagedTensorVersioned* array, Location where = Here()) {
    return FromDlpack(array, ForeignStream::kLegacyDefault, where);
  }
  static StatusOr<Tensor> FromDlpack(DLManagedTensor* array, ForeignStream stream,
                                     Location where = Here());
  static StatusOr<Tensor> FromDlpack(DLManagedTensorVersioned* array, ForeignStream stream,
                                     Location where = Here());
  // A view for another library, to be deleted through its deleter. The elements must not be
  // changed, which only the versioned struct says.
  //
  // On a GPU it is of the elements there. Does not wait for them: later commands of `stream` run
  // after those that write them. Its receiver deletes it when its own commands have run. On other
  // devices it is in host memory, of a copy if it must be, and the calling thread waits for the
  // elements.
  StatusOr<DLManagedTensor*> ToDlpack(Location where = Here()) const {
    return ToDlpack(ForeignStream::kLegacyDefault, where);
  }
  StatusOr<DLManagedTensorVersioned*> ToDlpackVersioned(Location where = Here()) const {
    return ToDlpackVersioned(ForeignStream::kLegacyDefault, where);
  }
  StatusOr<DLManagedTensor*> ToDlpack(ForeignStream stream, Location where = Here()) const;
  StatusOr<DLManagedTensorVersioned*> ToDlpackVersioned(ForeignStream stream,
                                                        Location where = Here()) const;

  bool valid() const { return static_cast<bool>(state_); }
  // True of a tensor of a function that is traced (tfrt/function/function.h): it has a dtype, and
  // perhaps a shape, but no elements. To ask for them is FailedPrecondition.
  bool is_traced() const { return state_ && state_->is_traced(); }

  // OK, or why there are no elements. Waits for them.
  Status status() const;
  // Tells what is known now, without waiting: false while the elements are in flight. On a device
  // with timelines (docs/devices.md) a tensor is available once the op that makes its elements is
  // enqueued.
  bool IsAvailable() const;
  bool IsError() const;  // known to be an error

  // These wait, if they must, for what tells them. The error of a tensor that is one; of a tensor
  // that becomes one later, either. InvalidArgument for a tensor that is not valid.
  // FailedPrecondition for a traced tensor of which it is not known.
  StatusOr<DType> dtype() const;
  StatusOr<TensorShape> shape() const;
  // "cpu:0". Empty for an error.
  std::string_view device() const;

  // Returns the elements, in host memory. Waits; copies them there once if they are on another
  // device. The span is valid as long as a tensor that shares them. An op may overwrite the
  // elements of the last such tensor, if it is moved there. InvalidArgument if T is not the element
  // type. Temporaries do not have this function, because their elements would be freed: give the
  // tensor a name.
  template <TensorElement T>
  StatusOr<std::span<const T>> Values(Location where = Here()) const& {
    TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* tensor, HostTensor(DTypeOf<T>(), where));
    return std::span(static_cast<const T*>(tensor->data()),
                     static_cast<size_t>(tensor->num_elements()));
  }
  template <TensorElement T>
  StatusOr<std::span<const T>> Values(Location where = Here()) const&& = delete;
  // The only element.
  template <TensorElement T>
  StatusOr<T> Item(Location where = Here()) const {
    TFRT_ASSIGN_OR_RETURN(auto values, Values<T>(where));
    if (values.size() != 1) return NotOneElement(values.size());
    return values[0];
  }
  // As tfrt_dht.print_tensor prints it, or "error: MESSAGE". Waits.
  std::string ToString() const;

  // The tensor on another device of its context, copied once: later calls, and ops that need it
  // there, get the same copy.
  Tensor CopyTo(std::string_view device, Location where = Here()) const;

  // The same, shorter.
  Tensor To(std::string_view device, Location where = Here()) const {
    return CopyTo(device, where);
  }

  // The elements that an index chooses, as `x[index]` of Python: integers, slices, new axes, an
  // ellipsis, masks, tensors of integers (tfrt/eager/arrays/index.h). InvalidArgument for one that
  // is out of range.
  //
  //   x.At(0)    x.At({arrays::Slice(1, 5), arrays::kEllipsis, 0})    x.At(x > 0)
  Tensor At(const arrays::IndexList& index, Location where = Here()) const;
  // Sets these elements to a value, which is broadcast; its numbers are of no wider kind. This
  // object changes, and no other tensor that shares the elements. It becomes an error if the value
  // or the index does not fit.
  Tensor& SetAt(const arrays::IndexList& index, Operand value, Location where = Here());

  // Element by element, broadcast, as the operators of the array API standard (docs/eager.md). The
  // other operand is a tensor, an array or a number. Different dtypes meet in one by the table of
  // docs/python.md; a number takes the dtype beside it: `x * 2` of f32 is f32. `/` divides integers
  // as f32, `%` has the sign of the divisor. Comparisons and `!` are of i1; `&`, `|`, `^` and `~`
  // are of bits, or of truth values. A tensor that is moved there may give its memory to the
  // result.
  friend Tensor operator+(Operand x, Operand y);
  friend Tensor operator-(Operand x, Operand y);
  friend Tensor operator*(Operand x, Operand y);
  friend Tensor operator/(Operand x, Operand y);
  friend Tensor operator%(Operand x, Operand y);
  friend Tensor operator&(Operand x, Operand y);
  friend Tensor operator|(Operand x, Operand y);
  friend Tensor operator^(Operand x, Operand y);
  friend Tensor operator<<(Operand x, Operand y);
  friend Tensor operator>>(Operand x, Operand y);
  friend Tensor operator<(Operand x, Operand y);
  friend Tensor operator<=(Operand x, Operand y);
  friend Tensor operator>(Operand x, Operand y);
  friend Tensor operator>=(Operand x, Operand y);
  friend Tensor operator==(Operand x, Operand y);
  friend Tensor operator!=(Operand x, Operand y);
  friend Tensor operator-(Operand x);
  friend Tensor operator+(Operand x);
  friend Tensor operator~(Operand x);
  friend Tensor operator!(Operand x);  // whether elements are 0
  // Assigns what x + y is, in the dtype and the shape of x. Other tensors that share x's elements
  // keep them. Becomes an error if the result is of a wider kind, or has another shape. Waits for
  // both, if they are not known yet.
  friend Tensor& operator+=(Tensor& x, Operand y);
  friend Tensor& operator-=(Tensor& x, Operand y);
  friend Tensor& operator*=(Tensor& x, Operand y);
  friend Tensor& operator/=(Tensor& x, Operand y);
  friend Tensor& operator%=(Tensor& x, Operand y);
  friend Tensor& operator&=(Tensor& x, Operand y);
  friend Tensor& operator|=(Tensor& x, Operand y);
  friend Tensor& operator^=(Tensor& x, Operand y);
  friend Tensor& operator<<=(Tensor& x, Operand y);
  friend Tensor& operator>>=(Tensor& x, Operand y);

  // For the runtime.
  explicit Tensor(RCReference<TensorState> state) : state_(std::move(state)) {}
  TensorState* state() const { return state_.get(); }
  RCReference<TensorState> TakeState() && { return std::move(state_); }
  // As Values, of any element type. Lives as long as a tensor that shares them.
  StatusOr<const DenseHostTensor*> HostElements(Location where) const& {
    return HostTensor(DType::kUnsupported, where);
  }
  StatusOr<const DenseHostTensor*> HostElements(Location where) const&& = delete;

 private:
  // Accepts any type, if `expected` is kUnsupported.
  StatusOr<const DenseHostTensor*> HostTensor(DType expected, Location where) const;
  // Returns the tensor as its device has it. Waits until its elements are enqueued. Lives as long
  // as the state.
  StatusOr<const tfrt::Tensor*> TensorOnDevice() const;
  template <typename Managed>
  StatusOr<Managed*> Export(ForeignStream stream, Location where) const;
  static Status NotOneElement(size_t count);

  RCReference<TensorState> state_;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_TENSOR_H_
