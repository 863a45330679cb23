// ArrayCall: one call of a function of arrays. It reads the arguments and makes the errors.
#ifndef TFRT_LIB_API_EAGER_ARRAYS_ARRAY_CALL_H_
#define TFRT_LIB_API_EAGER_ARRAYS_ARRAY_CALL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/eager/arrays/axes.h"
#include "tfrt/eager/context.h"
#include "tfrt/eager/ops.h"
#include "tfrt/opinfo/value_type.h"

namespace tfrt::eager::arrays {

namespace ops = tfrt::eager;  // the rows of the op table

// A size, which a trace may leave open. Then it is a tensor of i64 without dimensions.
class Size {
 public:
  Size(int64_t number) : number_(number) {}                         // NOLINT: implicit by design
  Size(Tensor tensor) : number_(-1), tensor_(std::move(tensor)) {}  // NOLINT: implicit by design

  bool is_known() const { return !tensor_.valid(); }
  bool is(int64_t number) const { return is_known() && number_ == number; }
  int64_t number() const { return number_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  int64_t number_;
  Tensor tensor_;
};

using Sizes = std::vector<Size>;

// A tensor with what is known of it: sizes that a trace leaves open are not.
struct Array {
  Tensor tensor;
  DType dtype = DType::kUnsupported;
  std::vector<Dim> dims;

  size_t rank() const { return dims.size(); }
  bool is_known() const;  // all sizes are
  bool is_open() const { return !is_known(); }
  std::string shape() const;  // "[2, ?]"
};

// The name of the function that a program calls, and the line. For one call, on one thread.
class ArrayCall {
 public:
  ArrayCall(std::string_view name, Location where) : name_(name), where_(where) {}
  ArrayCall(const ArrayCall&) = delete;
  ArrayCall& operator=(const ArrayCall&) = delete;

  Location where() const { return where_; }
  std::string_view name() const { return name_; }

  // Reads dtype and sizes of a tensor, and waits for them. Its own error becomes that of the call.
  // FailedPrecondition if a trace leaves the rank or the dtype open.
  StatusOr<Array> Read(Tensor tensor);
  // The same of an operand. A number has the dtype that its kind has by itself.
  StatusOr<Array> Read(Operand& operand);

  // Returns the error as the result of the call, with its name and line, and reports it.
  Tensor Fail(const Status& error);

  // Returns the size of an axis, as a tensor if it is open.
  Size SizeOf(const Array& x, size_t axis);
  Sizes SizesOf(const Array& x);
  // FailedPrecondition if it is open.
  StatusOr<int64_t> KnownSize(const Array& x, size_t axis);
  // The number of elements along axes together.
  Size CountOf(const Array& x, std::span<const size_t> axes);
  Size Times(const Size& a, const Size& b);
  Size Plus(const Size& a, const Size& b);
  // The argument of ops that take a shape.
  TensorArgument ShapeFrom(std::span<const Size> sizes);
  TensorArgument ShapeOf(const Array& x) { return ShapeFrom(SizesOf(x)); }
  Tensor TensorOf(const Size& size);

  Tensor CastTo(const Tensor& x, DType own, DType dtype);
  Tensor CastTo(const Array& x, DType dtype) { return CastTo(x.tensor, x.dtype, dtype); }
  // Integers as i32 or i64, which ops take as indices. Those of u64 that i64 does not have stay
  // larger than any size.
  Array AsIndices(Array x);
  // A number, or an array without dimensions, cast to a dtype.
  StatusOr<Tensor> OfDType(Operand& operand, DType dtype);
  Tensor Integer(int64_t number) { return Tensor::Scalar<int64_t>(number, where_); }
  // Bools as numbers 0 and 1 of u8, which ops compare; in the same memory.
  Tensor BytesOf(const Tensor& x) { return ops::BitCast(x, DType::kUI8, where_); }

  // Casts arrays to the dtype in which theirs meet. InvalidArgument names two that do not.
  Status Promote(std::span<Array> arrays);
  // Reads two operands, and casts both to one dtype. A number takes the dtype of what is beside it,
  // unless its kind is wider.
  StatusOr<std::pair<Array, Array>> PairOf(Operand& x, Operand& y);

  // The elements along one axis, row-major.
  Tensor Flat(const Array& x);
  Tensor Reshaped(const Tensor& x, std::span<const Size> sizes) {
    return ops::Reshape(x, ShapeFrom(sizes), where_);
  }
  // The elements `begin:end:step` along one axis; left out: from or to its end.
  Tensor Piece(const Tensor& x, size_t axis, const std::optional<Size>& begin,
               const std::optional<Size>& end, const Size& step = 1);
  // The slice at one place of an axis, without that axis.
  Tensor Element(const Tensor& x, size_t axis, int64_t index);
  // The tensor with one axis at another place.
  Tensor Moved(const Array& x, size_t source, size_t destination);
  Tensor Transposed(const Tensor& x, std::span<const size_t> order);
  Tensor ExpandedAt(const Tensor& x, size_t axis) {
    return ops::ExpandDims(x, static_cast<int64_t>(axis), where_);
  }

  // True after a failure that is the error of an argument.
  bool is_passed_on() const { return is_passed_on_; }

 private:
  const std::string_view name_;
  const Location where_;
  bool is_passed_on_ = false;
};

// Returns the axes counted from 0; all of them where none are named (arguments.h).
StatusOr<std::vector<size_t>> CountedAxes(const Axes& axes, size_t rank,
                                          std::string_view what = "axis");
StatusOr<size_t> CountedAxis(int64_t axis, size_t rank, std::string_view what = "axis");

// Returns the numbers as a tensor argument: i64 of one dimension.
TensorArgument VectorOf(std::span<const int64_t> numbers);
TensorArgument VectorOf(std::span<const size_t> numbers);
// "[2, 3]"
std::string TextOf(std::span<const int64_t> numbers);

inline bool IsBool(DType dtype) { return dtype == DType::kI1; }
bool IsInteger(DType dtype);  // and no bool

// Calls a function of arrays: its error becomes the result.
template <typename Body>
Tensor CallArrays(std::string_view name, Location where, const Body& body) {
  ArrayCall call(name, where);
  StatusOr<Tensor> made = body(call);
  return made.ok() ? *std::move(made) : call.Fail(made.status());
}
// The same of several results; an error is one tensor.
template <typename Body>
std::vector<Tensor> CallForList(std::string_view name, Location where, const Body& body) {
  ArrayCall call(name, where);
  StatusOr<std::vector<Tensor>> made = body(call);
  if (made.ok()) return *std::move(made);
  std::vector<Tensor> failed;
  failed.push_back(call.Fail(made.status()));
  return failed;
}

}  // namespace tfrt::eager::arrays

#endif  // TFRT_LIB_API_EAGER_ARRAYS_ARRAY_CALL_H_
