// Fp16 and Bf16: 16-bit floating-point numbers. They are stored in 16 bits and computed in float.
// Each operation rounds its float result to the nearest 16-bit number, ties to even.
#ifndef TFRT_SUPPORT_HALF_H_
#define TFRT_SUPPORT_HALF_H_

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string_view>

namespace tfrt {
namespace internal {

// Converts between binary16 and binary32. Rounds to nearest even. Numbers that are too large become
// infinite. A NaN stays a NaN, quiet, with its sign and the upper bits of its payload.
constexpr uint16_t Fp16BitsFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t sign = (bits >> 16) & 0x8000;
  uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude > 0x7F800000) {  // NaN
    return static_cast<uint16_t>(sign | 0x7E00 | ((magnitude >> 13) & 0x3FF));
  }
  if (magnitude >= 0x47800000) return static_cast<uint16_t>(sign | 0x7C00);  // 2^16 and more
  if (magnitude >= 0x38800000) {  // 2^-14 and more: normal
    uint32_t odd = (magnitude >> 13) & 1;
    // Rebias the exponent from 127 to 15 and round; a carry moves into the exponent, as it should.
    return static_cast<uint16_t>(sign | ((magnitude - (112u << 23) + 0xFFF + odd) >> 13));
  }
  if (magnitude < 0x33000000) return static_cast<uint16_t>(sign);  // below 2^-25: zero
  // Subnormal: the significand, with its leading one, in units of 2^-24.
  uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000;
  uint32_t shift = 126 - (magnitude >> 23);
  uint32_t half = 1u << (shift - 1);
  uint32_t odd = (significand >> shift) & 1;
  return static_cast<uint16_t>(sign | ((significand + half - 1 + odd) >> shift));
}

constexpr float Fp16BitsToFloat(uint16_t bits) {
  uint32_t sign = uint32_t{bits & 0x8000u} << 16;
  uint32_t exponent = (bits >> 10) & 0x1F;
  uint32_t fraction = bits & 0x3FF;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000 | (fraction << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  // Zero or subnormal: a multiple of 2^-24, which float holds exactly.
  float magnitude = static_cast<float>(fraction) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

constexpr uint16_t Bf16BitsFromFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFF) > 0x7F800000) return static_cast<uint16_t>((bits >> 16) | 0x40);  // NaN
  return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

constexpr float Bf16BitsToFloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t{bits} << 16);
}

// Returns a float that rounds to a narrower type as `value` itself does. Excess bits are cut off
// and marked in the last bit (round to odd). A plain conversion would round twice.
constexpr float RoundToOdd(double value) {
  float rounded = static_cast<float>(value);
  if (value != value || static_cast<double>(rounded) == value) return rounded;
  uint32_t bits = std::bit_cast<uint32_t>(rounded);
  bool away_from_zero = value < 0 ? rounded < value : rounded > value;
  return std::bit_cast<float>((away_from_zero ? bits - 1 : bits) | 1);
}

// The base of both types. `Encode` and `Decode` convert between float and bits.
template <typename Derived, uint16_t (*Encode)(float), float (*Decode)(uint16_t)>
struct Half {
  uint16_t bits = 0;

  constexpr Half() = default;
  constexpr explicit Half(float value) : bits(Encode(value)) {}
  constexpr explicit Half(double value) : bits(Encode(RoundToOdd(value))) {}
  // Integers of more than 53 bits are rounded to double first.
  constexpr explicit Half(std::integral auto value) : Half(static_cast<double>(value)) {}

  static constexpr Derived FromBits(uint16_t bits) {
    Derived result;
    result.bits = bits;
    return result;
  }

  constexpr float ToFloat() const { return Decode(bits); }
  constexpr explicit operator float() const { return ToFloat(); }
  constexpr explicit operator double() const { return ToFloat(); }

  friend constexpr Derived operator+(Derived a) { return a; }
  friend constexpr Derived operator-(Derived a) { return FromBits(a.bits ^ 0x8000); }
  friend constexpr Derived operator+(Derived a, Derived b) {
    return Derived(a.ToFloat() + b.ToFloat());
  }
  friend constexpr Derived operator-(Derived a, Derived b) {
    return Derived(a.ToFloat() - b.ToFloat());
  }
  friend constexpr Derived operator*(Derived a, Derived b) {
    return Derived(a.ToFloat() * b.ToFloat());
  }
  friend constexpr Derived operator/(Derived a, Derived b) {
    return Derived(a.ToFloat() / b.ToFloat());
  }
  friend constexpr Derived& operator+=(Derived& a, Derived b) { return a = a + b; }
  friend constexpr Derived& operator-=(Derived& a, Derived b) { return a = a - b; }
  friend constexpr Derived& operator*=(Derived& a, Derived b) { return a = a * b; }
  friend constexpr Derived& operator/=(Derived& a, Derived b) { return a = a / b; }
  // Comparisons are those of floats: -0 equals 0, and a NaN equals nothing.
  friend constexpr bool operator==(Derived a, Derived b) { return a.ToFloat() == b.ToFloat(); }
  friend constexpr auto operator<=>(Derived a, Derived b) { return a.ToFloat() <=> b.ToFloat(); }
};

}  // namespace internal

// IEEE 754 binary16.
struct Fp16 : internal::Half<Fp16, internal::Fp16BitsFromFloat, internal::Fp16BitsToFloat> {
  static constexpr std::string_view kProgramTypeName = "f16";
  using Half::Half;
};
// The upper half of a binary32.
struct Bf16 : internal::Half<Bf16, internal::Bf16BitsFromFloat, internal::Bf16BitsToFloat> {
  static constexpr std::string_view kProgramTypeName = "bf16";
  using Half::Half;
};
static_assert(sizeof(Fp16) == 2 && sizeof(Bf16) == 2);

namespace internal {

template <typename T, int significand_bits, uint16_t smallest, uint16_t largest,
          uint16_t epsilon_bits, uint16_t infinite>
struct HalfLimits {
  static constexpr bool is_specialized = true;
  static constexpr bool is_signed = true;
  static constexpr bool is_integer = false;
  static constexpr bool is_exact = false;
  static constexpr bool has_infinity = true;
  static constexpr bool has_quiet_NaN = true;
  static constexpr int radix = 2;
  static constexpr int digits = significand_bits;             // including the leading one
  static constexpr T min() { return T::FromBits(smallest); }  // the smallest normal number
  static constexpr T max() { return T::FromBits(largest); }
  static constexpr T lowest() { return T::FromBits(largest | 0x8000); }
  static constexpr T epsilon() { return T::FromBits(epsilon_bits); }
  static constexpr T infinity() { return T::FromBits(infinite); }
  static constexpr T quiet_NaN() {
    constexpr uint16_t kSmallestExponentBit = infinite & -infinite;
    return T::FromBits(infinite | kSmallestExponentBit >> 1);
  }
};

}  // namespace internal
}  // namespace tfrt

template <>
struct std::numeric_limits<tfrt::Fp16>
    : tfrt::internal::HalfLimits<tfrt::Fp16, 11, 0x0400, 0x7BFF, 0x1400, 0x7C00> {};
template <>
struct std::numeric_limits<tfrt::Bf16>
    : tfrt::internal::HalfLimits<tfrt::Bf16, 8, 0x0080, 0x7F7F, 0x3C00, 0x7F80> {};

#endif  // TFRT_SUPPORT_HALF_H_
