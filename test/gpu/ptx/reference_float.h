#ifndef TFRT_TEST_GPU_PTX_REFERENCE_FLOAT_H_
#define TFRT_TEST_GPU_PTX_REFERENCE_FLOAT_H_

#include <cmath>
#include <cstdint>
#include <limits>

namespace tfrt::gpu::ptx {

// Holds products and sums of halves exactly; those of bf16, whose exponents lie further apart, to
// 113 bits.
__extension__ typedef __float128 Exact;

// A small format, converted the slow way: by comparing values, without a look at how bits round.
struct SmallFormat {
  int exponent_bits;
  int mantissa_bits;

  uint64_t sign() const { return uint64_t{1} << (exponent_bits + mantissa_bits); }
  uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << mantissa_bits; }

  uint64_t Flush(uint64_t bits) const {
    return (bits & (sign() - 1)) < uint64_t{1} << mantissa_bits ? bits & sign() : bits;
  }

  Exact Decode(uint64_t bits) const {
    uint64_t magnitude = bits & (sign() - 1);
    if (magnitude > infinity()) return std::numeric_limits<double>::quiet_NaN();
    bool negative = (bits & sign()) != 0;
    if (magnitude == infinity()) return negative ? -HUGE_VAL : HUGE_VAL;
    int bias = (1 << (exponent_bits - 1)) - 1;
    int exponent = static_cast<int>(magnitude >> mantissa_bits);
    double mantissa = static_cast<double>(magnitude & ((uint64_t{1} << mantissa_bits) - 1));
    double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                                 : std::ldexp(mantissa + std::ldexp(1.0, mantissa_bits),
                                              exponent - bias - mantissa_bits);
    return negative ? -value : value;
  }

  // The value of the format that lies next below or at a magnitude: by bisection, as they are
  // ordered as their bits are.
  uint64_t Below(Exact magnitude) const {
    uint64_t low = 0, high = infinity();
    while (high - low > 1) {
      uint64_t middle = (low + high) / 2;
      (Decode(middle) <= magnitude ? low : high) = middle;
    }
    return low;
  }

  enum class Mode { kNearest, kZero, kDown, kUp, kAway };
  uint64_t Encode(Exact value, Mode mode) const {
    if (value != value) return sign() - 1;
    bool negative = value < 0 || (value == 0 && std::signbit(static_cast<double>(value)));
    Exact magnitude = negative ? -value : value;
    uint64_t result = infinity();
    if (magnitude < HUGE_VAL) {
      uint64_t below = Below(magnitude);
      Exact low = Decode(below);
      // Behind the largest value comes what would be the next one if exponents went on.
      Exact high =
          below + 1 == infinity() ? Exact(low + (low - Decode(below - 1))) : Decode(below + 1);
      Exact to_low = magnitude - low, to_high = high - magnitude;
      bool up = mode == Mode::kNearest ? to_high < to_low || (to_high == to_low && (below & 1) != 0)
                : mode == Mode::kAway  ? to_high <= to_low
                : to_low == 0          ? false
                : mode == Mode::kZero  ? false
                                       : (mode == Mode::kUp) != negative;
      if (to_low == 0) up = false;
      result = up ? below + 1 : below;
    }
    return result | (negative ? sign() : 0);
  }
  uint64_t EncodeNearest(Exact value) const { return Encode(value, Mode::kNearest); }
};

inline constexpr SmallFormat kHalfFormat{5, 10};
inline constexpr SmallFormat kBFloatFormat{8, 7};
inline constexpr SmallFormat kTFloatFormat{8, 10};
inline constexpr SmallFormat kSingleFormat{8, 23};

}  // namespace tfrt::gpu::ptx

#endif  // TFRT_TEST_GPU_PTX_REFERENCE_FLOAT_H_
