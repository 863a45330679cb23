// The operators of tensors: the functions of array_functions.cc of the same meaning.

#include <utility>

#include "array_functions.h"
#include "arrays/arguments.h"
#include "tfrt/eager/ops.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {
namespace {

// Whether a result of one kind may become elements of the other one's dtype.
bool AreOfOneKind(DType a, DType b) {
  const NumberKind kinds[] = {ElementTypeOf(a).kind, ElementTypeOf(b).kind};
  return kinds[0] == kinds[1] || (IsFloat(a) && IsFloat(b));
}

// Returns `made` in the dtype of x, or the error that it is of another kind or shape.
Tensor LikeFirst(std::string_view symbol, const StatusOr<DType>& dtype,
                 const StatusOr<TensorShape>& shape, Tensor made, Location where) {
  const StatusOr<TensorShape> made_shape = made.shape();
  if (shape.ok() && made_shape.ok() && *shape != *made_shape) {
    return arrays::Failed(
        symbol, where,
        InvalidArgumentError(
            StrCat("an operator in place keeps the shape of its left side, which is ",
                   shape->ToString(), ", but the result has the shape ", made_shape->ToString())));
  }
  const StatusOr<DType> made_dtype = made.dtype();
  if (!dtype.ok() || !made_dtype.ok() || *dtype == *made_dtype) return made;
  if (!AreOfOneKind(*dtype, *made_dtype)) {
    return arrays::Failed(symbol, where,
                          InvalidArgumentError(StrCat(
                              "an operator in place keeps the dtype of its left side, which is ",
                              DTypeName(*dtype), ", but the result has elements of ",
                              DTypeName(*made_dtype), "; write x = x + y, or cast one side")));
  }
  return Cast(std::move(made), *dtype, where);
}

}  // namespace

#define TFRT_BINARY(symbol, name)                \
  Tensor operator symbol(Operand x, Operand y) { \
    static const ArrayOp op(name);               \
    return CallArrayOp(op, x, y);                \
  }
TFRT_BINARY(+, "add")
TFRT_BINARY(-, "subtract")
TFRT_BINARY(*, "multiply")
TFRT_BINARY(/, "divide")
TFRT_BINARY(%, "remainder")
TFRT_BINARY(&, "bitwise_and")
TFRT_BINARY(|, "bitwise_or")
TFRT_BINARY(^, "bitwise_xor")
TFRT_BINARY(<<, "bitwise_left_shift")
TFRT_BINARY(>>, "bitwise_right_shift")
TFRT_BINARY(<, "less")
TFRT_BINARY(<=, "less_equal")
TFRT_BINARY(>, "greater")
TFRT_BINARY(>=, "greater_equal")
TFRT_BINARY(==, "equal")
TFRT_BINARY(!=, "not_equal")
#undef TFRT_BINARY

#define TFRT_UNARY(symbol, name)      \
  Tensor operator symbol(Operand x) { \
    static const ArrayOp op(name);    \
    return CallArrayOp(op, x);        \
  }
TFRT_UNARY(-, "negative")
TFRT_UNARY(+, "positive")
TFRT_UNARY(~, "bitwise_invert")
TFRT_UNARY(!, "logical_not")
#undef TFRT_UNARY

// x moves to the call, which may then write its elements; not if it is the other side as well.
#define TFRT_IN_PLACE(symbol)                                                   \
  Tensor& operator symbol## = (Tensor & x, Operand y) {                         \
    const StatusOr<DType> dtype = x.dtype();                                    \
    const StatusOr<TensorShape> shape = x.shape();                              \
    const Location where = y.where;                                             \
    const bool is_both = y.argument.state() == x.state();                       \
    Operand first = is_both ? Operand(x, where) : Operand(std::move(x), where); \
    Tensor made = std::move(first) symbol std::move(y);                         \
    x = LikeFirst(#symbol "=", dtype, shape, std::move(made), where);           \
    return x;                                                                   \
  }
TFRT_IN_PLACE(+)
TFRT_IN_PLACE(-)
TFRT_IN_PLACE(*)
TFRT_IN_PLACE(/)
TFRT_IN_PLACE(%)
TFRT_IN_PLACE(&)
TFRT_IN_PLACE(|)
TFRT_IN_PLACE(^)
TFRT_IN_PLACE(<<)
TFRT_IN_PLACE(>>)
#undef TFRT_IN_PLACE

}  // namespace tfrt::eager
