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
  for (auto [name, bound] : {std::pair("min", &min), std::pair("max", &max)}) {
    if (!bound->is_given()) continue;
    // Under the name of the argument here, not those of the functions below.
    if (bound->number.is_given()) {
      const DType own = DTypeOfNumber(bound->number, *dtype);
      StatusOr<HostArray> array = ArrayOfNumber(bound->number, own);
      if (!array.ok()) {
        const std::string message = StrCat(name, ": ", array.status().message());
        return Failed("clip", where, InvalidArgumentError(message));
      }
      *bound = Operand(*std::move(array), where);
    }
    bound->where = where;
    Operand first(std::move(result), where);
    result = bound == &min ? Maximum(std::move(first), std::move(min))
                           : Minimum(std::move(first), std::move(max));
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
