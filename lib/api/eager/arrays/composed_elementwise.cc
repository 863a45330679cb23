// The element-wise functions that are made of several calls.

#include <limits>
#include <string>
#include <utility>

#include "lib/api/eager/array_functions.h"
#include "lib/api/eager/arrays/arguments.h"
#include "lib/api/eager/promotion.h"
#include "tfrt/eager/arrays/elementwise.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager::arrays {
namespace {

// Returns the operand as a tensor of real numbers, or the error that it has complex ones.
Tensor RealOperand(std::string_view function, Operand& x) {
  Tensor tensor = TensorOf(x);
  StatusOr<DType> dtype = tensor.dtype();
  if (!dtype.ok() || ElementTypeOf(*dtype).kind != NumberKind::kComplex) return tensor;
  return Failed(function, x.where,
                InvalidArgumentError(StrCat("x has real elements, not ", DTypeName(*dtype))));
}

// Returns the bound of the line, an array if it was a number. An error names it as the argument is
// named here, not as those of the functions that take it.
StatusOr<Operand> BoundOf(std::string_view name, Operand bound, DType beside, Location where) {
  bound.where = where;
  if (!bound.number.is_given()) return bound;
  StatusOr<HostArray> array = ArrayOfNumber(bound.number, DTypeOfNumber(bound.number, beside));
  if (!array.ok()) return InvalidArgumentError(StrCat(name, ": ", array.status().message()));
  return Operand(*std::move(array), where);
}

}  // namespace

Tensor Square(Operand x) {
  const Location where = x.where;
  Tensor tensor = TensorOf(x);
  return Multiply(Operand(tensor, where), Operand(tensor, where));
}

Tensor Clip(Operand x, Operand min, Operand max) {
  const Location where = x.where;
  Tensor tensor = TensorOf(x);
  const StatusOr<DType> dtype = tensor.dtype();
  if (!dtype.ok()) return tensor;
  Tensor result = tensor;
  if (min.is_given()) {
    StatusOr<Operand> bound = BoundOf("min", std::move(min), *dtype, where);
    if (!bound.ok()) return Failed("clip", where, bound.status());
    result = Maximum(Operand(std::move(result), where), *std::move(bound));
  }
  if (max.is_given()) {
    StatusOr<Operand> bound = BoundOf("max", std::move(max), *dtype, where);
    if (!bound.ok()) return Failed("clip", where, bound.status());
    result = Minimum(Operand(std::move(result), where), *std::move(bound));
  }
  return CastTo(std::move(result), *dtype, where);
}

Tensor IsFinite(Operand x) {
  const Location where = x.where;
  Tensor tensor = TensorOf(x);
  StatusOr<DType> dtype = tensor.dtype();
  if (dtype.ok() && IsFloat(*dtype)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return Less(Operand(Abs(Operand(std::move(tensor), where)), where), Operand(kInfinity, where));
  }
  return Equal(Operand(tensor, where), Operand(tensor, where));
}

Tensor Conj(Operand x) { return RealOperand("conj", x); }
Tensor Real(Operand x) { return RealOperand("real", x); }

Tensor Imag(Operand x) {
  const Location where = x.where;
  Tensor tensor = RealOperand("imag", x);
  StatusOr<DType> dtype = tensor.dtype();
  if (!dtype.ok()) return tensor;
  return ZerosLike(std::move(tensor), *dtype, where);
}

}  // namespace tfrt::eager::arrays
