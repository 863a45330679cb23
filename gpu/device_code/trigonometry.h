// Functions of angles, hyperbolic functions, and their inverses, as those of device_math.h and by
// its rules.
//
// Largest errors in units in the last place, checked by test/gpu/device/trigonometry_test.cc:
//
//   sin, cos, acos, atan, asinh, acosh, atanh      2
//   asin, sinh, cosh                               3
//   tan                                            4
//
// They hold for numbers of any size: angles.h.
#ifndef TFRT_GPU_DEVICE_CODE_TRIGONOMETRY_H_
#define TFRT_GPU_DEVICE_CODE_TRIGONOMETRY_H_

#include "angles.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif

namespace tfrt::gpu::device {

// --- Angles.

template <typename T>
inline T SinOfRest(T r) {
  const T square = r * r;
  return Fma(r * square, Polynomial<SinRest>(square), r);
}
// 1 - h is rounded; what that takes away is added again.
template <typename T>
inline T CosOfRest(T r) {
  const T square = r * r;
  const T half = T(0.5) * square;
  const T most = 1 - half;
  return most + Fma(square * square, Polynomial<CosRest>(square), (1 - most) - half);
}

// The sine of an angle that is so many quadrants farther.
template <typename T>
inline T SinOfAngle(const Angle<T>& angle, uint32_t quadrants) {
  const uint32_t quadrant = angle.quadrant + quadrants;
  const T value = quadrant & 1 ? CosOfRest(angle.rest) : SinOfRest(angle.rest);
  return quadrant & 2 ? -value : value;
}

template <typename T>
inline T Sin(T x) {
  return x == 0 ? x : SinOfAngle(AngleOf(x), 0);  // -0 stays
}
template <typename T>
inline T Cos(T x) {
  return SinOfAngle(AngleOf(x), 1);
}
template <typename T>
inline T Tan(T x) {
  if (x == 0) return x;
  const Angle<T> angle = AngleOf(x);
  const T sine = SinOfRest(angle.rest), cosine = CosOfRest(angle.rest);
  const bool is_odd = angle.quadrant & 1;
  return (is_odd ? -cosine : sine) / (is_odd ? sine : cosine);
}

// --- Their inverses.

// Returns asin(x) - x for |x| <= 1/2, where `square` is x^2.
template <typename T>
inline T AsinMore(T x, T square) {
  return x * square * Polynomial<AsinRest>(square);
}

// Beyond 1/2: asin(x) = pi / 2 - 2 asin(s) with s^2 = (1 - x) / 2, which is exact. NaN beyond 1.
template <typename T>
inline T Asin(T x) {
  using C = Circle<T>;
  const T magnitude = Abs(x);
  if (magnitude < T(0.5)) return x == 0 ? x : x + AsinMore(x, x * x);
  const T square = (1 - magnitude) * T(0.5);
  const T s = Sqrt(square);
  const T rest = 2 * AsinMore(s, square) - C::kHalfPiLow;
  return CopySign((C::kHalfPi - 2 * s) - rest, x);
}

// 2 asin(s) near 1, pi - 2 asin(s) near -1.
template <typename T>
inline T Acos(T x) {
  using C = Circle<T>;
  if (Abs(x) < T(0.5)) return C::kHalfPi - (x - (C::kHalfPiLow - AsinMore(x, x * x)));
  const T square = (1 - Abs(x)) * T(0.5);
  const T s = Sqrt(square);
  const T more = AsinMore(s, square);
  return 2 * (x < 0 ? C::kHalfPi - (s + (more - C::kHalfPiLow)) : s + more);
}

// atan(x) = pi / 4 + atan((x - 1) / (x + 1)) = pi / 2 - atan(1 / x).
template <typename T>
inline T Atan(T x) {
  using C = Circle<T>;
  constexpr T kNear = T(0.41421356237309503);
  const T magnitude = Abs(x);
  T quarters = 0, t = magnitude;
  if (magnitude > 2 + kNear) {
    quarters = 2;
    t = -1 / magnitude;
  } else if (magnitude > kNear) {
    quarters = 1;
    t = (magnitude - 1) / (magnitude + 1);
  }
  const T square = t * t;
  const T more = Fma(t * square, Polynomial<AtanRest>(square), quarters * (T(0.5) * C::kHalfPiLow));
  return CopySign(quarters * (T(0.5) * C::kHalfPi) + (t + more), x);
}

// --- Hyperbolic functions.

// exp(x) / 2 for large x, which may be finite where exp(x) is not.
template <typename T>
inline T HalfExp(T x) {
  const T root = Exp(T(0.5) * x);
  return (T(0.5) * root) * root;
}

// With e = exp(|x|) - 1: (e + e / (e + 1)) / 2.
template <typename T>
inline T Sinh(T x) {
  const T magnitude = Abs(x);
  if (!(magnitude < Format<T>::kFarExp)) return CopySign(HalfExp(magnitude), x);
  const T e = Expm1(magnitude);
  return CopySign(T(0.5) * (e + e / (e + 1)), x);
}
template <typename T>
inline T Cosh(T x) {
  const T magnitude = Abs(x);
  if (!(magnitude < Format<T>::kFarExp)) return HalfExp(magnitude);
  const T e = Exp(magnitude);
  return T(0.5) * e + T(0.5) / e;
}

// --- Their inverses.

// From here on x^2 + 1 and x^2 - 1 are x^2.
template <typename T>
inline constexpr T kFarArea = sizeof(T) == 4 ? T(0x1p14) : T(0x1p28);

// log(|x| + sqrt(x^2 + 1)), by what that is more than 1.
template <typename T>
inline T Asinh(T x) {
  const T magnitude = Abs(x);
  if (magnitude >= kFarArea<T>) return CopySign(Log(magnitude) + Format<T>::kLn2High, x);
  const T square = magnitude * magnitude;
  return CopySign(Log1p(magnitude + square / (1 + Sqrt(square + 1))), x);
}

// log(x + sqrt(x^2 - 1)). NaN below 1.
template <typename T>
inline T Acosh(T x) {
  if (x < 1) return Format<T>::kNan;
  if (x >= kFarArea<T>) return Log(x) + Format<T>::kLn2High;
  const T more = x - 1;
  return Log1p(more + Sqrt(2 * more + more * more));
}

// log((1 + x) / (1 - x)) / 2. Infinite at 1, NaN beyond.
template <typename T>
inline T Atanh(T x) {
  const T magnitude = Abs(x);
  const T twice = 2 * magnitude;
  const T more =
      magnitude < T(0.5) ? twice + twice * magnitude / (1 - magnitude) : twice / (1 - magnitude);
  return CopySign(T(0.5) * Log1p(more), x);
}

// --- As the ops of element_ops.h.

#define TFRT_TRIGONOMETRIC(name) \
  struct name##Op {              \
    template <typename T>        \
    static T Apply(T x, T, T) {  \
      return name(x);            \
    }                            \
  };
TFRT_TRIGONOMETRIC(Sin)
TFRT_TRIGONOMETRIC(Cos)
TFRT_TRIGONOMETRIC(Tan)
TFRT_TRIGONOMETRIC(Asin)
TFRT_TRIGONOMETRIC(Acos)
TFRT_TRIGONOMETRIC(Atan)
TFRT_TRIGONOMETRIC(Sinh)
TFRT_TRIGONOMETRIC(Cosh)
TFRT_TRIGONOMETRIC(Asinh)
TFRT_TRIGONOMETRIC(Acosh)
TFRT_TRIGONOMETRIC(Atanh)
#undef TFRT_TRIGONOMETRIC

// V(name, function).
#define TFRT_TRIGONOMETRY(V) \
  V(sin, SinOp)              \
  V(cos, CosOp)              \
  V(tan, TanOp)              \
  V(asin, AsinOp)            \
  V(acos, AcosOp)            \
  V(atan, AtanOp)            \
  V(sinh, SinhOp)            \
  V(cosh, CoshOp)            \
  V(asinh, AsinhOp)          \
  V(acosh, AcoshOp)          \
  V(atanh, AtanhOp)

}  // namespace tfrt::gpu::device

#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#endif  // TFRT_GPU_DEVICE_CODE_TRIGONOMETRY_H_
