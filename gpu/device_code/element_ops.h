// The element-wise ops on one element, in the type that elements are computed in. NaN, zeros with
// signs, wrapping and rounding are as in the host's kernels.
#ifndef TFRT_GPU_DEVICE_CODE_ELEMENT_OPS_H_
#define TFRT_GPU_DEVICE_CODE_ELEMENT_OPS_H_

#include "device_math.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

// An unsigned type in which arithmetic of T wraps.
template <typename T>
struct WrappingOf;
template <>
struct WrappingOf<i32> {
  using Type = uint32_t;
};
template <>
struct WrappingOf<i64> {
  using Type = uint64_t;
};
template <typename T>
using Wrapping = typename WrappingOf<T>::Type;

// --- Arithmetic in which floats and integers differ. Integers wrap.

template <typename T>
inline T Negative(T x) {
  if constexpr (kIsFloat<T>) return -x;
  if constexpr (kIsInteger<T>) return static_cast<T>(Wrapping<T>(0) - Wrapping<T>(x));
}
template <typename T>
inline T Magnitude(T x) {
  if constexpr (kIsFloat<T>) return Abs(x);
  if constexpr (kIsInteger<T>) return x < 0 ? Negative(x) : x;
}
template <typename T>
inline T Plus(T x, T y) {
  if constexpr (kIsFloat<T>) return x + y;
  if constexpr (kIsInteger<T>) return static_cast<T>(Wrapping<T>(x) + Wrapping<T>(y));
}
template <typename T>
inline T Minus(T x, T y) {
  if constexpr (kIsFloat<T>) return x - y;
  if constexpr (kIsInteger<T>) return static_cast<T>(Wrapping<T>(x) - Wrapping<T>(y));
}
template <typename T>
inline T Times(T x, T y) {
  if constexpr (kIsFloat<T>) return x * y;
  if constexpr (kIsInteger<T>) return static_cast<T>(Wrapping<T>(x) * Wrapping<T>(y));
}
// Integers are truncated; by 0 they give 0, as nobody could look at the divisors before.
// a * b + sum. Floats are rounded once.
template <typename T>
inline T MultiplyAdd(T a, T b, T sum) {
  if constexpr (kIsFloat<T>) return Fma(a, b, sum);
  if constexpr (kIsInteger<T>) return Plus(Times(a, b), sum);
}
template <typename T>
inline T Quotient(T x, T y) {
  if constexpr (kIsFloat<T>) return x / y;
  if constexpr (kIsInteger<T>) return y == 0 ? T(0) : y == -1 ? Negative(x) : x / y;
}
// The remainder with the sign of x; of integers by 0 it is 0.
template <typename T>
inline T TruncatedRest(T x, T y) {
  if constexpr (kIsFloat<T>) return Remainder(x, y);
  if constexpr (kIsInteger<T>) return y == 0 || y == -1 ? T(0) : x % y;
}
// The remainder with the sign of y.
template <typename T>
inline T FlooredRest(T x, T y) {
  const T rest = TruncatedRest(x, y);
  if constexpr (kIsFloat<T>) {
    if (rest == 0) return CopySign(rest, y);
  }
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}
// Returns the number of bits to shift, at most as many as the type has, which shifts out
// everything. An amount below 0 does so, too. The empty statement hides the origin of the amount.
// Otherwise clang 22 would leave the test to the shift instruction, which uses 32 bits of the
// amount only.
template <typename T>
inline uint32_t ShiftAmount(T y) {
  constexpr uint32_t kBits = sizeof(T) * 8;
  uint32_t amount = Wrapping<T>(y) < kBits ? static_cast<uint32_t>(y) : kBits;
  __asm__("" : "+r"(amount));
  return amount;
}
template <typename T>
inline T ShiftLeft(T x, T y) {
  const uint32_t amount = ShiftAmount(y);
  return amount < sizeof(T) * 8 ? static_cast<T>(Wrapping<T>(x) << amount) : T(0);
}
// Shifts in the sign from the left.
template <typename T>
inline T ShiftRight(T x, T y) {
  const uint32_t amount = ShiftAmount(y);
  return amount < sizeof(T) * 8 ? static_cast<T>(x >> amount) : x < 0 ? T(-1) : T(0);
}

// x to the power of y. Those of exponents up to 2^30 wrap. Others are what a float nearest to the
// power becomes: 0 of fractions, the limit of the type where that is passed. So is an exponent, of
// which a float of 2^53 or more is even.
template <typename T>
inline T IntegerPower(T x, T y) {
  if (y < 0 || y > T(1) << 30) {
    const bool is_odd = (y & 1) != 0 && Magnitude(static_cast<i64>(y)) < i64{1} << 53;
    const bool is_negative = x < 0 && is_odd;
    if (x == 1 || x == -1) return is_negative ? T(-1) : T(1);
    if ((y < 0) != (x == 0)) return 0;
    return is_negative ? IntegerRange<T>::kLeast : IntegerRange<T>::kMost;
  }
  Wrapping<T> result = 1, square = static_cast<Wrapping<T>>(x);
  for (auto n = static_cast<uint32_t>(y); n > 0; n >>= 1) {
    if ((n & 1) != 0) result *= square;
    square *= square;
  }
  return static_cast<T>(result);
}

// Ops are structs. kIsShort: the function is a few instructions, so that kernels repeat them for
// each element of a vector.

// --- One operand. `alpha` and `beta` are what the op table has as attributes; ops without them do
// not look at them.

#define TFRT_UNARY(name, is_short, ...)                                      \
  struct name {                                                              \
    static constexpr bool kIsShort = is_short;                               \
    template <typename T>                                                    \
    static T Apply(T x, [[maybe_unused]] T alpha, [[maybe_unused]] T beta) { \
      __VA_ARGS__                                                            \
    }                                                                        \
  };
#define TFRT_SHORT_UNARY(name, ...) TFRT_UNARY(name, true, __VA_ARGS__)
#define TFRT_LONG_UNARY(name, ...) TFRT_UNARY(name, false, __VA_ARGS__)
TFRT_SHORT_UNARY(AbsOp, return Magnitude(x);)
TFRT_SHORT_UNARY(NegOp, return Negative(x);)
TFRT_SHORT_UNARY(SignOp, return x > 0 ? T(1) : x < 0 ? T(-1) : Magnitude(x);)  // NaN stays
TFRT_LONG_UNARY(ReciprocalOp, return 1 / x;)
TFRT_LONG_UNARY(SqrtOp, return Sqrt(x);)
TFRT_LONG_UNARY(RsqrtOp, return Rsqrt(x);)
TFRT_LONG_UNARY(ExpOp, return Exp(x);)
TFRT_LONG_UNARY(Exp2Op, return Exp2(x);)
TFRT_LONG_UNARY(Expm1Op, return Expm1(x);)
TFRT_LONG_UNARY(LogOp, return Log(x);)
TFRT_LONG_UNARY(Log1pOp, return Log1p(x);)
TFRT_LONG_UNARY(ErfOp, return Erf(x);)
TFRT_SHORT_UNARY(FloorOp, return Floor(x);)
TFRT_SHORT_UNARY(CeilOp, return Ceil(x);)
TFRT_SHORT_UNARY(RoundOp, return Round(x);)
TFRT_SHORT_UNARY(ReluOp, return x < 0 ? T(0) : x;)
TFRT_SHORT_UNARY(LeakyReluOp, return x < 0 ? x * alpha : x;)
TFRT_LONG_UNARY(EluOp, return x < 0 ? alpha * Expm1(x) : x;)
TFRT_LONG_UNARY(SeluOp, return beta * (x < 0 ? alpha * Expm1(x) : x);)
// x sigmoid(alpha x); its limit at -infinity is -0.
TFRT_LONG_UNARY(SwishOp,
                return alpha > 0 && x == -Format<T>::kInfinity ? T(-0.0) : x * Sigmoid(alpha * x);)
TFRT_SHORT_UNARY(HardSigmoidOp, const T y = alpha * x + beta; const T low = y < 0 ? T(0) : y;
                 return low > 1 ? T(1) : low;)
TFRT_SHORT_UNARY(HardSwishOp, const T y = x * T(1.0 / 6) + T(0.5); const T low = y < 0 ? T(0) : y;
                 return x * (low > 1 ? T(1) : low);)
TFRT_LONG_UNARY(SoftplusOp, return Softplus(x);)
TFRT_LONG_UNARY(MishOp, return Mish(x);)
TFRT_LONG_UNARY(SigmoidOp, return Sigmoid(x);)
TFRT_LONG_UNARY(TanhOp, return Tanh(x);)
TFRT_LONG_UNARY(GeluOp, return Gelu(x);)
TFRT_LONG_UNARY(GeluTanhOp, return GeluTanh(x);)
TFRT_SHORT_UNARY(BitwiseNotOp, return ~x;)
#undef TFRT_SHORT_UNARY
#undef TFRT_LONG_UNARY
#undef TFRT_UNARY

// --- One operand, results are truth values.

struct IsNanOp {
  static constexpr bool kIsShort = true;
  template <typename T>
  static bool Apply(T x, T, T) {
    return IsNan(x);
  }
};
// alpha: whether -infinity counts; beta: whether infinity does.
struct IsInfOp {
  static constexpr bool kIsShort = true;
  template <typename T>
  static bool Apply(T x, T alpha, T beta) {
    return IsInfinite(x) && (x > 0 ? beta : alpha) != 0;
  }
};
struct LogicalNotOp {
  static constexpr bool kIsShort = true;
  static bool Apply(bool x, bool, bool) { return !x; }
};

// --- Two operands.

#define TFRT_BINARY(name, is_short, ...)       \
  struct name {                                \
    static constexpr bool kIsShort = is_short; \
    template <typename T>                      \
    static T Apply(T x, T y) {                 \
      __VA_ARGS__                              \
    }                                          \
  };
#define TFRT_SHORT_BINARY(name, ...) TFRT_BINARY(name, true, __VA_ARGS__)
#define TFRT_LONG_BINARY(name, ...) TFRT_BINARY(name, false, __VA_ARGS__)
TFRT_SHORT_BINARY(AddOp, return Plus(x, y);)
TFRT_SHORT_BINARY(SubOp, return Minus(x, y);)
TFRT_SHORT_BINARY(MulOp, return Times(x, y);)
TFRT_LONG_BINARY(DivOp, return Quotient(x, y);)
TFRT_LONG_BINARY(FloorModOp, return FlooredRest(x, y);)
TFRT_LONG_BINARY(TruncateModOp, return TruncatedRest(x, y);)
// NaN if one of them is.
TFRT_SHORT_BINARY(MaximumOp, return x > y || x != x ? x : y;)
TFRT_SHORT_BINARY(MinimumOp, return x < y || x != x ? x : y;)
TFRT_LONG_BINARY(PowOp, return Pow(x, y);)
TFRT_LONG_BINARY(IntegerPowOp, return IntegerPower(x, y);)
TFRT_SHORT_BINARY(PReluOp, return x < 0 ? Times(x, y) : x;)
// y where x > 0, else 0: the gradient of relu.
TFRT_SHORT_BINARY(ReluGradOp, return y > 0 ? x : T(0);)  // the gradient, then the features
TFRT_SHORT_BINARY(BitwiseAndOp, return x & y;)
TFRT_SHORT_BINARY(BitwiseOrOp, return x | y;)
TFRT_SHORT_BINARY(BitwiseXorOp, return x ^ y;)
TFRT_SHORT_BINARY(ShiftLeftOp, return ShiftLeft(x, y);)
TFRT_SHORT_BINARY(ShiftRightOp, return ShiftRight(x, y);)
#undef TFRT_SHORT_BINARY
#undef TFRT_LONG_BINARY
#undef TFRT_BINARY

// --- Two operands, results are truth values.

#define TFRT_RELATION(name, op)            \
  struct name {                            \
    static constexpr bool kIsShort = true; \
    template <typename T>                  \
    static bool Apply(T x, T y) {          \
      return x op y;                       \
    }                                      \
  };
TFRT_RELATION(LessOp, <)
TFRT_RELATION(LessEqualOp, <=)
TFRT_RELATION(GreaterOp, >)
TFRT_RELATION(GreaterEqualOp, >=)
TFRT_RELATION(EqualOp, ==)
TFRT_RELATION(NotEqualOp, !=)
TFRT_RELATION(LogicalAndOp, &&)
TFRT_RELATION(LogicalOrOp, ||)
#undef TFRT_RELATION

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_ELEMENT_OPS_H_
