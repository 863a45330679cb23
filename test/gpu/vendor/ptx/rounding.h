#ifndef TFRT_TEST_GPU_VENDOR_PTX_ROUNDING_H_
#define TFRT_TEST_GPU_VENDOR_PTX_ROUNDING_H_

// Floating-point formats and roundings that the host does not have.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "program.h"

namespace tfrt::gpu::ptx {

// A format of IEEE 754's kind, by the bits of its exponent and of its mantissa.
template <int kExponent, int kMantissa>
struct Format {
  static constexpr int kBias = (1 << (kExponent - 1)) - 1;
  static constexpr uint32_t kInfinity = ((uint32_t{1} << kExponent) - 1) << kMantissa;
  static constexpr uint32_t kSign = uint32_t{1} << (kExponent + kMantissa);
  static constexpr uint32_t kNan = kSign - 1;  // what operations give: all bits but the sign
  static constexpr uint32_t kSmallestNormal = uint32_t{1} << kMantissa;

  static bool IsNan(uint32_t bits) { return (bits & ~kSign) > kInfinity; }
  static bool IsSubnormal(uint32_t bits) {
    return (bits & ~kSign) < kSmallestNormal && (bits & ~kSign) != 0;
  }

  static double Widen(uint32_t bits) {
    uint64_t sign = uint64_t{(bits & kSign) != 0} << 63;
    uint32_t exponent = (bits & kInfinity) >> kMantissa;
    uint64_t mantissa = bits & (kSmallestNormal - 1);
    if (exponent == kInfinity >> kMantissa) {
      return std::bit_cast<double>(sign | uint64_t{0x7ff} << 52 | mantissa << (52 - kMantissa));
    }
    if (exponent == 0) {
      double magnitude = static_cast<double>(mantissa) *
                         std::bit_cast<double>(uint64_t(1023 - kBias + 1 - kMantissa) << 52);
      return sign != 0 ? -magnitude : magnitude;
    }
    return std::bit_cast<double>(sign | uint64_t(exponent + 1023 - kBias) << 52 |
                                 mantissa << (52 - kMantissa));
  }

  // The value of the format that `value` is rounded to.
  static uint32_t Narrow(double value, Rounding rounding) {
    uint64_t bits = std::bit_cast<uint64_t>(value);
    bool negative = bits >> 63 != 0;
    uint32_t sign = negative ? kSign : 0;
    int exponent = static_cast<int>(bits >> 52 & 0x7ff);
    uint64_t significand = bits & ((uint64_t{1} << 52) - 1);
    if (exponent == 0x7ff) return significand != 0 ? kNan : sign | kInfinity;
    if (exponent == 0 && significand == 0) return sign;
    if (exponent != 0) significand |= uint64_t{1} << 52;
    int target = (exponent != 0 ? exponent : 1) - 1023 + kBias;
    int shift = 52 - kMantissa;
    if (target < 1) {
      shift += 1 - target;
      if (shift > 60) shift = 60;
      target = 0;
    }
    uint64_t kept = significand >> shift;
    uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
    uint64_t half = uint64_t{1} << (shift - 1);
    if (RoundsUp(rounding, negative, rest, half, (kept & 1) != 0)) ++kept;
    // A carry out of the mantissa is one more in the exponent.
    uint64_t result = target == 0 ? kept : (uint64_t(target) << kMantissa) + kept - kSmallestNormal;
    if (result < kInfinity) return sign | static_cast<uint32_t>(result);
    bool to_infinity = rounding == Rounding::kNearest || rounding == Rounding::kNearestAway ||
                       rounding == (negative ? Rounding::kDown : Rounding::kUp);
    return sign | (to_infinity ? kInfinity : kInfinity - 1);
  }

 private:
  static bool RoundsUp(Rounding rounding, bool negative, uint64_t rest, uint64_t half, bool odd) {
    switch (rounding) {
      case Rounding::kNearest:
        return rest > half || (rest == half && odd);
      case Rounding::kNearestAway:
        return rest >= half;
      case Rounding::kZero:
        return false;
      case Rounding::kDown:
        return negative && rest != 0;
      case Rounding::kUp:
        return !negative && rest != 0;
    }
    return false;
  }
};

using Half = Format<5, 10>;
using BFloat = Format<8, 7>;
using Single = Format<8, 23>;
using TFloat = Format<8, 10>;  // in the upper bits of a single

inline constexpr uint32_t kSingleNan = Single::kNan;

// Makes NaN results canonical: singles become one value, doubles stay as they are.
inline float Canonical(float value) {
  return value != value ? std::bit_cast<float>(kSingleNan) : value;
}
inline double Canonical(double value) { return value; }

inline float Flush(float value) {
  return std::fabs(value) < std::numeric_limits<float>::min() ? std::copysign(0.0f, value) : value;
}
inline double Flush(double value) { return value; }

// [0, 1]; what is no number becomes 0.
template <class T>
T Clamp01(T value) {
  return value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
}

// The operations in all four roundings. Those of doubles set the rounding of the host while they
// compute.
double AddRounded(double a, double b, Rounding rounding);
double MultiplyRounded(double a, double b, Rounding rounding);
double FmaRounded(double a, double b, double c, Rounding rounding);
double DivideRounded(double a, double b, Rounding rounding);
double SqrtRounded(double a, Rounding rounding);

// Operations on singles and on smaller formats use doubles that are rounded to odd. If a result is
// not exact, its last bit is set, so that rounding it once more rounds as if it had been exact.
double AddToOdd(double a, double b);
double DivideToOdd(double a, double b);
double SqrtToOdd(double a);

// Adds with the right sign of an exact zero: rounding down gives -0, unless both parts are +0.
inline double SumToOdd(double a, double b, Rounding rounding) {
  double sum = AddToOdd(a, b);
  if (sum != 0 || rounding != Rounding::kDown) return sum;
  return !std::signbit(a) && !std::signbit(b) ? 0.0 : -0.0;
}

inline float NarrowToFloat(double value, Rounding rounding) {
  return std::bit_cast<float>(Single::Narrow(value, rounding));
}

inline float AddRounded(float a, float b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return a + b;
  return NarrowToFloat(SumToOdd(a, b, rounding), rounding);
}
inline float MultiplyRounded(float a, float b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return a * b;
  return NarrowToFloat(double{a} * double{b}, rounding);
}
inline float FmaRounded(float a, float b, float c, Rounding rounding) {
  if (rounding == Rounding::kNearest) return std::fma(a, b, c);
  return NarrowToFloat(SumToOdd(double{a} * double{b}, c, rounding), rounding);
}
inline float DivideRounded(float a, float b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return a / b;
  return NarrowToFloat(DivideToOdd(a, b), rounding);
}
inline float SqrtRounded(float a, Rounding rounding) {
  if (rounding == Rounding::kNearest) return std::sqrt(a);
  return NarrowToFloat(SqrtToOdd(a), rounding);
}

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_VENDOR_PTX_ROUNDING_H_
