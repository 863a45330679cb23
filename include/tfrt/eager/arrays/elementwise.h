// The element-wise functions of the array API standard. Made by scripts/make_eager_ops.py. Do not
// edit.
#ifndef TFRT_EAGER_ARRAYS_ELEMENTWISE_H_
#define TFRT_EAGER_ARRAYS_ELEMENTWISE_H_

#include "tfrt/eager/context.h"

namespace tfrt::eager::arrays {

// abs: The absolute value of each element; the least integer stays what it is.
Tensor Abs(Operand x);
// acos: The inverse cosine of each element.
Tensor Acos(Operand x);
// acosh: The inverse hyperbolic cosine of each element.
Tensor Acosh(Operand x);
// add: `x + y`, broadcast; integers wrap.
Tensor Add(Operand x, Operand y);
// asin: The inverse sine of each element.
Tensor Asin(Operand x);
// asinh: The inverse hyperbolic sine of each element.
Tensor Asinh(Operand x);
// atan: The inverse tangent of each element.
Tensor Atan(Operand x);
// atan2: The angle of the point whose coordinates are `y` and `x`, `x` being the second, broadcast.
Tensor Atan2(Operand x, Operand y);
// atanh: The inverse hyperbolic tangent of each element.
Tensor Atanh(Operand x);
// bitwise_and: `x & y` of integers, broadcast.
Tensor BitwiseAnd(Operand x, Operand y);
// bitwise_invert: Each bit of each integer the other way.
Tensor BitwiseInvert(Operand x);
// bitwise_left_shift: `x << y` of integers, broadcast; 0 from their width on.
Tensor BitwiseLeftShift(Operand x, Operand y);
// bitwise_or: `x | y` of integers, broadcast.
Tensor BitwiseOr(Operand x, Operand y);
// bitwise_right_shift: `x >> y` of integers, broadcast; what comes in is 0, or the sign.
Tensor BitwiseRightShift(Operand x, Operand y);
// bitwise_xor: `x ^ y` of integers, broadcast.
Tensor BitwiseXor(Operand x, Operand y);
// ceil: The smallest whole number that is not below each element.
Tensor Ceil(Operand x);
// copysign: `x` with the sign of `y`, broadcast.
Tensor CopySign(Operand x, Operand y);
// cos: The cosine of each element.
Tensor Cos(Operand x);
// cosh: The hyperbolic cosine of each element.
Tensor Cosh(Operand x);
// divide: `x / y`, broadcast; integers are divided as floats.
Tensor Divide(Operand x, Operand y);
// equal: `x == y`, broadcast, as i1.
Tensor Equal(Operand x, Operand y);
// exp: e to the power of each element.
Tensor Exp(Operand x);
// expm1: `exp(x) - 1` of each element.
Tensor Expm1(Operand x);
// floor: The largest whole number that is not above each element.
Tensor Floor(Operand x);
// floor_divide: The largest whole number that is not above `x / y`, broadcast; of floats NaN where
// `x` is infinite.
Tensor FloorDivide(Operand x, Operand y);
// greater: `x > y`, broadcast, as i1.
Tensor Greater(Operand x, Operand y);
// greater_equal: `x >= y`, broadcast, as i1.
Tensor GreaterEqual(Operand x, Operand y);
// hypot: `sqrt(x * x + y * y)`, broadcast, without squares that overflow.
Tensor Hypot(Operand x, Operand y);
// isinf: Where `x` is infinite, with one of the signs asked for, as i1.
Tensor IsInf(Operand x);
// isnan: Where `x` is NaN, as i1.
Tensor IsNan(Operand x);
// less: `x < y`, broadcast, as i1.
Tensor Less(Operand x, Operand y);
// less_equal: `x <= y`, broadcast, as i1.
Tensor LessEqual(Operand x, Operand y);
// log: The natural logarithm of each element.
Tensor Log(Operand x);
// log10: The logarithm to base 10 of each element.
Tensor Log10(Operand x);
// log1p: `log(1 + x)` of each element.
Tensor Log1p(Operand x);
// log2: The logarithm to base 2 of each element.
Tensor Log2(Operand x);
// logaddexp: `log(exp(x) + exp(y))`, broadcast.
Tensor LogAddExp(Operand x, Operand y);
// logical_and: True where both are, broadcast.
Tensor LogicalAnd(Operand x, Operand y);
// logical_not: True where `x` is not.
Tensor LogicalNot(Operand x);
// logical_or: True where one is, broadcast.
Tensor LogicalOr(Operand x, Operand y);
// logical_xor: True where they differ, broadcast.
Tensor LogicalXor(Operand x, Operand y);
// maximum: The larger of `x` and `y`, broadcast; NaN if one of them is.
Tensor Maximum(Operand x, Operand y);
// minimum: The smaller of `x` and `y`, broadcast; NaN if one of them is.
Tensor Minimum(Operand x, Operand y);
// multiply: `x * y`, broadcast; integers wrap.
Tensor Multiply(Operand x, Operand y);
// negative: `-x` of each element; integers wrap.
Tensor Negative(Operand x);
// nextafter: The number of the dtype that follows `x` on the way to `y`, broadcast.
Tensor NextAfter(Operand x, Operand y);
// not_equal: `x != y`, broadcast, as i1.
Tensor NotEqual(Operand x, Operand y);
// positive: The argument.
Tensor Positive(Operand input);
// pow: `x` to the power of `y`, broadcast.
Tensor Pow(Operand x, Operand y);
// reciprocal: `1 / x` of each element.
Tensor Reciprocal(Operand x);
// remainder: The remainder of `x / y`, broadcast: with the sign of `y`, or, with `truncate`, with
// that of `x`.
Tensor Remainder(Operand x, Operand y);
// round: The nearest whole number to each element, of two the even one.
Tensor Round(Operand x);
// sign: -1, 0 or 1 for each element; NaN stays NaN.
Tensor Sign(Operand x);
// signbit: Where the sign bit of `x` is set, that of -0 and of NaN, too, as i1.
Tensor SignBit(Operand x);
// sin: The sine of each element.
Tensor Sin(Operand x);
// sinh: The hyperbolic sine of each element.
Tensor Sinh(Operand x);
// sqrt: The square root of each element.
Tensor Sqrt(Operand x);
// subtract: `x - y`, broadcast; integers wrap.
Tensor Subtract(Operand x, Operand y);
// tan: The tangent of each element.
Tensor Tan(Operand x);
// tanh: The hyperbolic tangent of each element.
Tensor Tanh(Operand x);
// trunc: The nearest whole number between each element and 0.
Tensor Trunc(Operand x);

// The composed functions follow; their bodies are written by hand.

// Elements between two bounds, in the dtype of `x`: numbers, or arrays that are broadcast; one that
// is left out bounds nothing. NaN stays NaN, and is the result where a bound is NaN.
Tensor Clip(Operand x, Operand min = {}, Operand max = {});
// The conjugates of numbers, which real ones are themselves. Complex elements are an error.
Tensor Conj(Operand x);
// The imaginary parts of numbers: zeros for real ones. Complex elements are an error.
Tensor Imag(Operand x);
// Whether elements are neither infinite nor NaN, as i1.
Tensor IsFinite(Operand x);
// The real parts of numbers. Complex elements are an error.
Tensor Real(Operand x);
// `x * x`; integers wrap.
Tensor Square(Operand x);

}  // namespace tfrt::eager::arrays

#endif  // TFRT_EAGER_ARRAYS_ELEMENTWISE_H_
