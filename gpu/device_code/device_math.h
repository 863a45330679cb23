// Elementary functions of f32 and f64 for device code, where no library is available. No tables;
// few branches. Their operations are sums, products, quotients, roots and fused products, each
// rounded once. The compiler must not fuse others (-ffp-contract=off), so that any machine computes
// the same bits.
//
// Largest errors in units in the last place, checked by test/gpu/device/device_math_test.cc:
//
//   exp, exp2, expm1, log, log1p, erf, pow, rsqrt, softplus    2
//   tanh, sigmoid                                              3
//   mish, gelu                                                 8
//   gelu_tanh       4 + 4 |v| with v = sqrt(8 / pi) (x + 0.044715 x^3), of which it is made
//
// Results below 1000 times the smallest normal number may be off by 1000 of the smallest numbers in
// mish, gelu and gelu_tanh. These multiply by a factor that becomes subnormal before the result
// does. Elsewhere such results may be off by 2. Powers of 0, infinities and NaN are those of the C
// standard. Derivations stand at the functions; coefficients are made by fit_coefficients.py.
#ifndef TFRT_GPU_DEVICE_CODE_DEVICE_MATH_H_
#define TFRT_GPU_DEVICE_CODE_DEVICE_MATH_H_

#include "element.h"
#include "math_coefficients.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

// --- Single instructions.

inline f32 Fma(f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
inline f64 Fma(f64 a, f64 b, f64 c) { return __builtin_fma(a, b, c); }
inline f32 Sqrt(f32 x) { return __builtin_sqrtf(x); }
inline f64 Sqrt(f64 x) { return __builtin_sqrt(x); }
inline f32 Abs(f32 x) { return __builtin_fabsf(x); }
inline f64 Abs(f64 x) { return __builtin_fabs(x); }
inline f32 Floor(f32 x) { return __builtin_floorf(x); }
inline f64 Floor(f64 x) { return __builtin_floor(x); }
inline f32 Ceil(f32 x) { return __builtin_ceilf(x); }
inline f64 Ceil(f64 x) { return __builtin_ceil(x); }
// To the nearest integer, ties to even.
inline f32 Round(f32 x) { return __builtin_rintf(x); }
inline f64 Round(f64 x) { return __builtin_rint(x); }

// --- The formats.

template <typename T>
struct Format;
template <>
struct Format<f32> {
  using Bits = uint32_t;
  using Integer = int32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr int kBias = 127;
  static constexpr f32 kInfinity = __builtin_inff();
  static constexpr f32 kNan = __builtin_nanf("");
  static constexpr f32 kLeastNormal = 0x1p-126f;
  static constexpr f32 kToNormal = 0x1p23f;        // makes subnormal numbers normal
  static constexpr Bits kRootOfHalf = 0x3F3504F3;  // sqrt(1/2)
  // exp of less is 0, of more infinity.
  static constexpr f32 kLeastExp = -104, kMostExp = 89;
  static constexpr f32 kLeastExp2 = -151, kMostExp2 = 129;
  // exp(x) - 1 is exp(x) beyond; tanh is 1.
  static constexpr f32 kFarExp = 20;
  // Normal tails beyond are 0.
  static constexpr f32 kFarTail = 15;
  // ln(2) and its first digits, then the rest.
  static constexpr f32 kLn2High = 0x1.62e43p-1f, kLn2Low = -0x1.05c61p-29f;
  static constexpr f32 kLog2E = 0x1.715476p+0f, kLog2ELow = 0x1.4ae0cp-26f;
  static constexpr f32 kThird = 0x1.555556p-2f, kThirdLow = -0x1.555556p-27f;
};
template <>
struct Format<f64> {
  using Bits = uint64_t;
  using Integer = int64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr int kBias = 1023;
  static constexpr f64 kInfinity = __builtin_inf();
  static constexpr f64 kNan = __builtin_nan("");
  static constexpr f64 kLeastNormal = 0x1p-1022;
  static constexpr f64 kToNormal = 0x1p52;
  static constexpr Bits kRootOfHalf = 0x3FE6A09E667F3BCD;
  static constexpr f64 kLeastExp = -746, kMostExp = 710;
  static constexpr f64 kLeastExp2 = -1076, kMostExp2 = 1025;
  static constexpr f64 kFarExp = 40;
  static constexpr f64 kFarTail = 40;
  static constexpr f64 kLn2High = 0x1.62e42fefa39efp-1, kLn2Low = 0x1.abc9e3b39803fp-56;
  static constexpr f64 kLog2E = 0x1.71547652b82fep+0, kLog2ELow = 0x1.777d0ffda0d24p-56;
  static constexpr f64 kThird = 0x1.5555555555555p-2, kThirdLow = 0x1.5555555555555p-56;
};

template <typename T>
inline bool IsNan(T x) {
  return x != x;
}
template <typename T>
inline bool IsInfinite(T x) {
  return Abs(x) == Format<T>::kInfinity;
}
template <typename T>
inline T CopySign(T magnitude, T sign) {
  using Bits = typename Format<T>::Bits;
  constexpr Bits kSign = Bits{1} << (sizeof(T) * 8 - 1);
  return BitCast<T>((BitCast<Bits>(magnitude) & ~kSign) | (BitCast<Bits>(sign) & kSign));
}

// The polynomial with the coefficients P<T> at x. Recursive, so that each is an immediate operand.
template <template <typename> class P, typename T, int first = 0>
inline T Polynomial(T x, T sum = 0) {
  constexpr int kCount = sizeof(P<T>::kCoefficients) / sizeof(T);
  constexpr T kCoefficient = P<T>::kCoefficients[first];
  const T value = first == 0 ? kCoefficient : Fma(sum, x, kCoefficient);
  if constexpr (first + 1 < kCount) {
    return Polynomial<P, T, first + 1>(x, value);
  } else {
    return value;
  }
}

// y * 2^n for whole n, in two steps, as 2^n itself may be no normal number.
template <typename T>
inline T Scale(T y, T n) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const auto whole = static_cast<typename F::Integer>(n == n ? n : T(0));
  const auto half = whole >> 1;
  auto power = [](typename F::Integer e) {
    return BitCast<T>(static_cast<Bits>(e + F::kBias) << F::kMantissaBits);
  };
  return y * power(half) * power(whole - half);
}

// --- Exponentials. With n = x / ln(2) rounded and r = x - n ln(2): exp(x) = 2^n exp(r).

// exp(a + b) for small b, |b| < 0.1, which spares b the rounding of the sum.
template <typename T>
inline T ExpOfSum(T a, T b) {
  using F = Format<T>;
  a = a < F::kLeastExp ? F::kLeastExp : a;
  a = a > F::kMostExp ? F::kMostExp : a;
  const T n = Round(a * F::kLog2E);
  const T r = Fma(n, -F::kLn2Low, Fma(n, -F::kLn2High, a)) + b;
  return Scale(Fma(r * r, Polynomial<ExpRest>(r), r) + 1, n);
}
template <typename T>
inline T Exp(T x) {
  return ExpOfSum(x, T(0));
}

template <typename T>
inline T Exp2(T x) {
  using F = Format<T>;
  x = x < F::kLeastExp2 ? F::kLeastExp2 : x;
  x = x > F::kMostExp2 ? F::kMostExp2 : x;
  const T n = Round(x);
  const T r = x - n;
  return Scale(Fma(r, Polynomial<Exp2Rest>(r), T(1)), n);
}

// exp(x) - 1 = 2^n (exp(r) - 1) + (2^n - 1).
template <typename T>
inline T Expm1(T x) {
  using F = Format<T>;
  if (x > F::kFarExp) return Exp(x);
  const T low = x < -F::kFarExp ? -F::kFarExp : x;
  const T n = Round(low * F::kLog2E);
  const T r = Fma(n, -F::kLn2Low, Fma(n, -F::kLn2High, low));
  const T rest = Fma(r * r, Polynomial<ExpRest>(r), r);
  if (n == 0) return x == 0 ? x : rest;  // -0 stays
  const T power = Scale(T(1), n);
  return Fma(rest, power, power - 1);
}

// --- Logarithms. x = m 2^e with m in [sqrt(1/2), sqrt(2)); s = (m - 1) / (m + 1); log(m) =
// 2 atanh(s).

template <typename T>
struct MantissaAndExponent {
  T mantissa;
  T exponent;
};
// Splits a positive number.
template <typename T>
inline MantissaAndExponent<T> Split(T x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const bool is_subnormal = x < F::kLeastNormal;
  const Bits bits = BitCast<Bits>(is_subnormal ? x * F::kToNormal : x) - F::kRootOfHalf;
  const auto e = static_cast<typename F::Integer>(bits) >> F::kMantissaBits;
  constexpr Bits kMantissa = (Bits{1} << F::kMantissaBits) - 1;
  return {BitCast<T>((bits & kMantissa) + F::kRootOfHalf),
          static_cast<T>(e) - (is_subnormal ? T(F::kMantissaBits) : T(0))};
}

// Computes log(x) + rest for positive finite x and a small rest. Let f = m - 1, which is exact, and
// R = s^2 P(s^2). It uses 2 s + s R = f - s (f - R). There all terms but f are small.
template <typename T>
inline T LogOfFinite(T x, T rest) {
  using F = Format<T>;
  const auto [m, e] = Split(x);
  const T f = m - 1;
  const T s = f / (2 + f);
  const T square = s * s;
  const T small = s * (f - square * Polynomial<LogRest>(square)) - rest;
  return Fma(e, F::kLn2High, f - Fma(e, -F::kLn2Low, small));
}

// -infinity of 0, NaN of negative numbers.
template <typename T>
inline T Log(T x) {
  using F = Format<T>;
  if (!(x < F::kInfinity)) return x;
  if (x <= 0) return x == 0 ? -F::kInfinity : F::kNan;
  return LogOfFinite(x, T(0));
}

// log(1 + x): with u = 1 + x rounded and c what the rounding took, log(u) + c / u.
template <typename T>
inline T Log1p(T x) {
  using F = Format<T>;
  if (!(x < F::kInfinity) || x == 0) return x;
  if (x <= -1) return x == -1 ? -F::kInfinity : F::kNan;
  const T u = 1 + x;
  const T c = Abs(x) < 1 ? x - (u - 1) : 1 - (u - x);
  return LogOfFinite(u, c / u);
}

// --- Powers: exp2(y log2(x)) with a logarithm of twice as many digits.

// A number as the sum of two, of which the second is below the last digit of the first.
template <typename T>
struct Twofold {
  T high;
  T low;
};
// a + b, where |a| >= |b| or a is 0.
template <typename T>
inline Twofold<T> FastSum(T a, T b) {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}
template <typename T>
inline Twofold<T> Product(T a, T b) {
  const T product = a * b;
  return {product, Fma(a, b, -product)};
}
template <typename T>
inline Twofold<T> Product(Twofold<T> a, Twofold<T> b) {
  Twofold<T> result = Product(a.high, b.high);
  result.low += Fma(a.high, b.low, a.low * b.high);
  return FastSum(result.high, result.low);
}

// log2 of positive finite x: e + 2 / ln(2) (s + s^3 / 3 + s^5 P(s^2)).
template <typename T>
inline Twofold<T> Log2Twofold(T x) {
  using F = Format<T>;
  const auto [m, e] = Split(x);
  const T f = m - 1;
  const Twofold<T> sum = FastSum(m > 1 ? m : T(1), m > 1 ? T(1) : m);
  Twofold<T> s;
  s.high = f / sum.high;
  s.low = Fma(-s.high, sum.low, Fma(-s.high, sum.high, f)) / sum.high;
  const Twofold<T> square = Product(s, s);
  const Twofold<T> cube_third = Product(Product(square, s), Twofold<T>{F::kThird, F::kThirdLow});
  const T fifth = square.high * square.high * s.high * Polynomial<LogTail>(square.high);
  Twofold<T> atanh = FastSum(s.high, cube_third.high);
  atanh.low += s.low + (cube_third.low + fifth);
  Twofold<T> log =
      Product(FastSum(atanh.high, atanh.low), Twofold<T>{2 * F::kLog2E, 2 * F::kLog2ELow});
  const Twofold<T> all = FastSum(e, log.high);
  return FastSum(all.high, all.low + log.low);
}

// 2^(high + low).
template <typename T>
inline T Exp2OfTwofold(Twofold<T> x) {
  using F = Format<T>;
  if (x.high > F::kMostExp2) return F::kInfinity;
  if (x.high < F::kLeastExp2) return 0;
  const T n = Round(x.high);
  const T r = (x.high - n) + x.low;
  return Scale(Fma(r, Polynomial<Exp2Rest>(r), T(1)), n);
}

template <typename T>
inline bool IsWhole(T x) {
  return x == Floor(x);
}
template <typename T>
inline bool IsOdd(T x) {
  return IsWhole(x) && !IsWhole(x * T(0.5));
}

template <typename T>
inline T Pow(T x, T y) {
  using F = Format<T>;
  if (y == 0 || x == 1) return 1;
  if (IsNan(x) || IsNan(y)) return F::kNan;
  const T magnitude = Abs(x);
  const T sign = IsOdd(y) ? CopySign(T(1), x) : T(1);
  if (IsInfinite(y)) {
    if (magnitude == 1) return 1;
    return (magnitude > 1) == (y > 0) ? F::kInfinity : T(0);
  }
  if (magnitude == 0 || magnitude == F::kInfinity) {
    return (magnitude == 0) == (y > 0) ? sign * 0 : sign * F::kInfinity;
  }
  if (x < 0 && !IsWhole(y)) return F::kNan;
  // Larger exponents lead to 0, 1 or infinity in any case, but their products might not be finite.
  constexpr T kMost = sizeof(T) == 4 ? T(0x1p40f) : T(0x1p80);
  const T exponent = y > kMost ? kMost : y < -kMost ? -kMost : y;
  const Twofold<T> log = Log2Twofold(magnitude);
  Twofold<T> product = Product(log.high, exponent);
  product.low = Fma(log.low, exponent, product.low);
  return sign * Exp2OfTwofold(FastSum(product.high, product.low));
}

// --- What activations are made of.

template <typename T>
inline T Rsqrt(T x) {
  return 1 / Sqrt(x);
}

// 1 / (1 + exp(-x)), with exp of negative numbers only: it cannot overflow.
template <typename T>
inline T Sigmoid(T x) {
  const T e = Exp(-Abs(x));
  return (x < 0 ? e : T(1)) / (1 + e);
}

// (exp(2 x) - 1) / (exp(2 x) + 1).
template <typename T>
inline T Tanh(T x) {
  const T magnitude = Abs(x);
  if (magnitude > Format<T>::kFarExp / 2) return CopySign(T(1), x);
  const T e = Expm1(2 * magnitude);
  return CopySign(e / (e + 2), x);
}

// The probability that a standard normal variable is below -|x|: exp(-x^2 / 2) g(|x|), where
// (|x| + 3) g is smooth.
template <typename T>
inline T NormalTail(T x) {
  x = Abs(x);
  x = x > Format<T>::kFarTail ? Format<T>::kFarTail : x;
  const T factor = 1 / (x + 3);
  const T g = factor * Polynomial<NormalTailFactor>((x - 3) * factor);
  const Twofold<T> square = Product(x, x);
  return ExpOfSum(T(-0.5) * square.high, T(-0.5) * square.low) * g;
}

// The error function: a polynomial near 0, the normal distribution's tail elsewhere.
template <typename T>
inline T Erf(T x) {
  if (Abs(x) < 1) return Fma(x, Polynomial<ErfRest>(x * x), x);
  if (IsNan(x)) return x;
  constexpr T kRootOfTwo = T(0x1.6a09e667f3bcdp+0);
  return CopySign(1 - 2 * NormalTail(kRootOfTwo * x), x);
}

// x times the probability that a standard normal variable is below x. Its limit at -infinity is -0.
template <typename T>
inline T Gelu(T x) {
  if (x < -Format<T>::kFarTail) return T(-0.0);
  const T tail = NormalTail(x);
  return x * (x < 0 ? tail : 1 - tail);
}

// The usual approximation of it: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
template <typename T>
inline T GeluTanh(T x) {
  if (x < -40) return T(-0.0);
  constexpr T kTwiceRootOfTwoByPi = T(0x1.9884533d43651p+0);
  return x * Sigmoid(kTwiceRootOfTwoByPi * Fma(T(0.044715) * x, x * x, x));
}

// log(1 + exp(x)).
template <typename T>
inline T Softplus(T x) {
  return (x < 0 ? T(0) : x) + Log1p(Exp(-Abs(x)));
}

// Computes x tanh(log(1 + e^x)). The factor is n / (n + 2) with n = e^x (e^x + 2), written with exp
// of negative numbers only. Its limit at -infinity is -0.
template <typename T>
inline T Mish(T x) {
  if (x < -1000) return T(-0.0);
  const T e = Exp(-Abs(x));
  const T n = x < 0 ? e * (e + 2) : 1 + 2 * e;
  return x * (n / (x < 0 ? n + 2 : Fma(2 * e, e, n)));
}

// Computes the remainder of x / y with the sign of x, exactly. It subtracts y times each power of
// two where that fits, the largest first.
template <typename T>
inline T Remainder(T x, T y) {
  if (IsNan(x) || IsNan(y) || IsInfinite(x) || y == 0) return Format<T>::kNan;
  const T divisor = Abs(y);
  T rest = Abs(x);
  T multiple = divisor;
  while (multiple <= rest * T(0.5)) multiple *= 2;  // may not overflow, and is exact
  while (true) {
    if (rest >= multiple) rest -= multiple;
    if (multiple == divisor) return CopySign(rest, x);
    multiple *= T(0.5);
  }
}

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_DEVICE_MATH_H_
