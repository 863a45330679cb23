// How far results are from exact ones, in units in the last place.
#ifndef TFRT_TEST_GPU_DEVICE_ULP_DISTANCE_H_
#define TFRT_TEST_GPU_DEVICE_ULP_DISTANCE_H_

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/device_code/element.h"

namespace tfrt::gpu {

// A format of floating-point numbers, as std::numeric_limits has it.
struct FloatFormat {
  int digits;
  int min_exponent;
  double max;
};
template <typename T>
inline constexpr FloatFormat kFormatOf = {std::numeric_limits<T>::digits,
                                          std::numeric_limits<T>::min_exponent,
                                          static_cast<double>(std::numeric_limits<T>::max())};
template <>
inline constexpr FloatFormat kFormatOf<device::f16> = {11, -13, 65504};
template <>
inline constexpr FloatFormat kFormatOf<device::bf16> = {8, -125, 0x1.FEp127};

// What results of T are compared in: more digits than T has.
template <typename T>
struct WiderOf {
  using Type = double;
};
template <>
struct WiderOf<double> {
  using Type = long double;
};
template <typename T>
using Wider = typename WiderOf<T>::Type;

// The distance of `result`, a number of the format, from the exact result, in units in the last
// place of that; of the smallest numbers where they are larger. Infinite if one of them alone is
// NaN, or is infinite after rounding; but the largest number is one unit from infinity.
template <typename W>
double UlpDistance(W result, W exact, const FloatFormat& format) {
  if (std::isnan(result) || std::isnan(exact)) {
    return std::isnan(result) && std::isnan(exact) ? 0 : HUGE_VAL;
  }
  const W half_unit = std::ldexp(W(format.max), -format.digits - 1);
  const bool is_too_large = std::fabs(exact) >= format.max + half_unit;
  if (std::isinf(result) || is_too_large) {
    const bool is_next =
        std::fabs(result) >= format.max && std::fabs(exact) >= format.max - half_unit;
    if (!is_next || std::signbit(result) != std::signbit(exact)) return HUGE_VAL;
    return std::isinf(result) && is_too_large ? 0 : 1;
  }
  int exponent;
  std::frexp(exact, &exponent);
  const int unit = std::max(exponent, format.min_exponent) - format.digits;
  return static_cast<double>(std::ldexp(std::fabs(result - exact), -unit));
}

}  // namespace tfrt::gpu

#endif  // TFRT_TEST_GPU_DEVICE_ULP_DISTANCE_H_
