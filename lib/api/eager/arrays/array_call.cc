#include "array_call.h"

#include <algorithm>
#include <array>
#include <limits>

#include "lib/api/eager/arrays/arguments.h"
#include "lib/api/eager/promotion.h"
#include "lib/api/eager/tracer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

// The product, or the largest number if it is larger: ops refuse a size like that.
int64_t ProductOf(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

// The sum, or the largest number if it is larger, of numbers that are not both below 0.
int64_t SumOf(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

bool IsReal(const Number& number) { return number.kind() == Number::Kind::kReal; }

}  // namespace

bool Array::is_known() const {
  return std::ranges::all_of(dims, [](Dim dim) { return dim.is_known(); });
}

std::string Array::shape() const { return SymbolicShape(dims).ToString(); }

StatusOr<Array> ArrayCall::Read(Tensor tensor) {
  Array array = {.tensor = std::move(tensor), .dtype = DType::kUnsupported, .dims = {}};
  if (!array.tensor.valid()) {
    return InvalidArgumentError("this is not a tensor; has it been moved from?");
  }
  if (const TracedValue* traced = TracedValueOf(array.tensor)) {
    if (!traced->type.has_dtype() || !traced->type.shape.has_rank()) {
      return FailedPreconditionError(StrCat("the function needs the dtype and the rank of ",
                                            traced->made_by, ", which are open in this trace"));
    }
    array.dtype = traced->type.dtype;
    array.dims.assign(traced->type.shape.dims().begin(), traced->type.shape.dims().end());
    return array;
  }
  StatusOr<TensorShape> shape = array.tensor.shape();
  if (!shape.ok()) {
    is_passed_on_ = true;
    return shape.status();
  }
  StatusOr<DType> dtype = array.tensor.dtype();
  if (!dtype.ok()) {
    is_passed_on_ = true;
    return dtype.status();
  }
  array.dtype = *dtype;
  for (int64_t dim : shape->dims()) array.dims.emplace_back(dim);
  return array;
}

StatusOr<Array> ArrayCall::Read(Operand& operand) {
  if (operand.number.is_given()) {
    const DType dtype = DTypeOfNumber(operand.number, DType::kUnsupported);
    TFRT_ASSIGN_OR_RETURN(Tensor tensor, OfDType(operand, dtype));
    return Array{.tensor = std::move(tensor), .dtype = dtype, .dims = {}};
  }
  if (const HostArray* array = operand.argument.array()) {
    return Read(Tensor::FromArray(*array, where_));
  }
  return Read(Tensor(operand.argument.TakeState()));
}

Tensor ArrayCall::Fail(const Status& error) {
  if (!is_passed_on_) return Failed(name_, where_, error);
  if (Tracer* tracer = CurrentTracer()) tracer->CallFailed(error);
  return ErrorTensorOf(error);
}

Tensor ArrayCall::TensorOf(const Size& size) {
  return size.is_known() ? Integer(size.number()) : size.tensor();
}

Size ArrayCall::SizeOf(const Array& x, size_t axis) {
  const Dim dim = x.dims[axis];
  if (dim.is_known()) return dim.value();
  Tensor sizes = ops::Shape(x.tensor, {.out_type = DType::kI64}, where_);
  return ops::GatherV2(sizes, static_cast<int64_t>(axis), 0, {}, where_);
}

Sizes ArrayCall::SizesOf(const Array& x) {
  Sizes sizes;
  sizes.reserve(x.rank());
  for (size_t axis = 0; axis < x.rank(); ++axis) sizes.push_back(SizeOf(x, axis));
  return sizes;
}

StatusOr<int64_t> ArrayCall::KnownSize(const Array& x, size_t axis) {
  if (x.dims[axis].is_known()) return x.dims[axis].value();
  return FailedPreconditionError(StrCat("needs the size of axis ", axis, " of the shape ",
                                        x.shape(), ", which is open in this trace"));
}

Size ArrayCall::CountOf(const Array& x, std::span<const size_t> axes) {
  Size count = 1;
  for (size_t axis : axes) count = Times(count, SizeOf(x, axis));
  return count;
}

Size ArrayCall::Times(const Size& a, const Size& b) {
  if (a.is_known() && b.is_known()) return ProductOf(a.number(), b.number());
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  return ops::Mul(TensorOf(a), TensorOf(b), where_);
}

Size ArrayCall::Plus(const Size& a, const Size& b) {
  if (a.is_known() && b.is_known()) return SumOf(a.number(), b.number());
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  return ops::AddV2(TensorOf(a), TensorOf(b), where_);
}

TensorArgument ArrayCall::ShapeFrom(std::span<const Size> sizes) {
  if (std::ranges::all_of(sizes, &Size::is_known)) {
    std::vector<int64_t> numbers;
    numbers.reserve(sizes.size());
    for (const Size& size : sizes) numbers.push_back(size.number());
    return VectorOf(std::span<const int64_t>(numbers));
  }
  std::vector<Tensor> parts;
  parts.reserve(sizes.size());
  for (const Size& size : sizes) parts.push_back(ops::Reshape(TensorOf(size), {1}, where_));
  return parts.size() == 1 ? parts[0] : ops::ConcatV2(parts, 0, where_);
}

Tensor ArrayCall::CastTo(const Tensor& x, DType own, DType dtype) {
  return own == dtype ? x : ops::Cast(x, dtype, where_);
}

Array ArrayCall::AsIndices(Array x) {
  if (x.dtype == DType::kI32 || x.dtype == DType::kI64) return x;
  if (x.dtype == DType::kUI64) {
    constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    x.tensor = ops::Minimum(x.tensor, Tensor::Scalar(kMost, where_), where_);
  }
  x.tensor = CastTo(x, DType::kI64);
  x.dtype = DType::kI64;
  return x;
}

StatusOr<Tensor> ArrayCall::OfDType(Operand& operand, DType dtype) {
  if (!operand.number.is_given()) {
    TFRT_ASSIGN_OR_RETURN(Array array, Read(operand));
    return CastTo(array, dtype);
  }
  // A real number becomes an integer, and any number a truth value, as casts make them.
  const bool is_cast = IsBool(dtype) ? operand.number.kind() != Number::Kind::kBool
                                     : IsInteger(dtype) && IsReal(operand.number);
  const DType own = !is_cast                 ? dtype
                    : IsReal(operand.number) ? DType::kF64
                                             : DTypeOfNumber(operand.number, DType::kI64);
  TFRT_ASSIGN_OR_RETURN(HostArray array, ArrayOfNumber(operand.number, own));
  return CastTo(Tensor::FromArray(array, where_), own, dtype);
}

Status ArrayCall::Promote(std::span<Array> arrays) {
  DType dtype = arrays[0].dtype;
  for (const Array& array : arrays) {
    const DType met = PromotedDType(dtype, array.dtype);
    if (met == DType::kUnsupported) {
      return InvalidArgumentError(StrCat("elements of ", DTypeName(dtype), " and of ",
                                         DTypeName(array.dtype), " do not meet in one dtype"));
    }
    dtype = met;
  }
  for (Array& array : arrays) {
    array.tensor = CastTo(array, dtype);
    array.dtype = dtype;
  }
  return OkStatus();
}

StatusOr<std::pair<Array, Array>> ArrayCall::PairOf(Operand& x, Operand& y) {
  std::array<Array, 2> pair;
  Operand* const operands[] = {&x, &y};
  // Arrays first: they have a dtype for the number beside them.
  for (size_t i = 0; i < 2; ++i) {
    if (operands[i]->number.is_given()) continue;
    TFRT_ASSIGN_OR_RETURN(pair[i], Read(*operands[i]));
  }
  for (size_t i = 0; i < 2; ++i) {
    const Number& number = operands[i]->number;
    if (!number.is_given()) continue;
    const DType beside = pair[1 - i].dtype;
    if (beside == DType::kUnsupported) {
      TFRT_ASSIGN_OR_RETURN(pair[i], Read(*operands[i]));
      continue;
    }
    const DType dtype = DTypeOfNumber(number, beside);
    if (dtype == DType::kUnsupported) {
      return InvalidArgumentError(
          StrCat("the number ", number.ToString(), " is beside elements of ", DTypeName(beside)));
    }
    TFRT_ASSIGN_OR_RETURN(pair[i].tensor, OfDType(*operands[i], dtype));
    pair[i].dtype = dtype;
  }
  TFRT_RETURN_IF_ERROR(Promote(pair));
  return std::pair(std::move(pair[0]), std::move(pair[1]));
}

Tensor ArrayCall::Flat(const Array& x) {
  return x.rank() == 1 ? x.tensor : ops::Reshape(x.tensor, {-1}, where_);
}

Tensor ArrayCall::Piece(const Tensor& x, size_t axis, const std::optional<Size>& begin,
                        const std::optional<Size>& end, const Size& step) {
  const int64_t bit = int64_t{1} << axis;
  Sizes begins(axis, 0), ends(axis, 0), steps(axis, 1);
  begins.push_back(begin.value_or(0));
  ends.push_back(end.value_or(0));
  steps.push_back(step);
  return ops::StridedSlice(
      x, ShapeFrom(begins), ShapeFrom(ends), ShapeFrom(steps),
      {.begin_mask = (bit - 1) | (begin ? 0 : bit), .end_mask = (bit - 1) | (end ? 0 : bit)},
      where_);
}

Tensor ArrayCall::Element(const Tensor& x, size_t axis, int64_t index) {
  const int64_t bit = int64_t{1} << axis;
  std::vector<int64_t> begins(axis + 1, 0), ends(axis + 1, 0);
  const std::vector<int64_t> steps(axis + 1, 1);
  begins[axis] = index;
  ends[axis] = index + 1;
  return ops::StridedSlice(
      x, VectorOf(std::span<const int64_t>(begins)), VectorOf(std::span<const int64_t>(ends)),
      VectorOf(std::span<const int64_t>(steps)),
      {.begin_mask = bit - 1, .end_mask = bit - 1, .shrink_axis_mask = bit}, where_);
}

Tensor ArrayCall::Moved(const Array& x, size_t source, size_t destination) {
  if (source == destination) return x.tensor;
  std::vector<size_t> order;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis != source) order.push_back(axis);
  }
  order.insert(order.begin() + static_cast<std::ptrdiff_t>(destination), source);
  return Transposed(x.tensor, order);
}

Tensor ArrayCall::Transposed(const Tensor& x, std::span<const size_t> order) {
  return ops::Transpose(x, VectorOf(order), where_);
}

StatusOr<size_t> CountedAxis(int64_t axis, size_t rank, std::string_view what) {
  TFRT_ASSIGN_OR_RETURN(int64_t counted, AxisOf(axis, rank, what));
  return static_cast<size_t>(counted);
}

StatusOr<std::vector<size_t>> CountedAxes(const Axes& axes, size_t rank, std::string_view what) {
  std::optional<std::span<const int64_t>> named;
  if (!axes.is_all()) named = axes.span();
  TFRT_ASSIGN_OR_RETURN(std::vector<int64_t> counted, AxesOf(named, rank, what));
  return std::vector<size_t>(counted.begin(), counted.end());
}

TensorArgument VectorOf(std::span<const int64_t> numbers) {
  return HostArray({static_cast<int64_t>(numbers.size())}, numbers);
}

TensorArgument VectorOf(std::span<const size_t> numbers) {
  const std::vector<int64_t> copy(numbers.begin(), numbers.end());
  return VectorOf(std::span<const int64_t>(copy));
}

std::string TextOf(std::span<const int64_t> numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i) text += StrCat(i == 0 ? "" : ", ", numbers[i]);
  return text + "]";
}

bool IsInteger(DType dtype) {
  const NumberKind kind = ElementTypeOf(dtype).kind;
  return kind == NumberKind::kSigned || kind == NumberKind::kUnsigned;
}

}  // namespace tfrt::eager::arrays
