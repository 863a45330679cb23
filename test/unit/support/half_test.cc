#include "tfrt/support/half.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "gtest/gtest.h"

namespace tfrt {
namespace {

// The number that the bits of a binary16 (5 exponent bits, 10 fraction bits) or bfloat16 (8 and 7)
// stand for, by the definition. Not for NaN.
double Reference(uint16_t bits, int exponent_bits) {
  int fraction_bits = 15 - exponent_bits;
  int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = (bits & 0x7FFF) >> fraction_bits;
  int fraction = bits & ((1 << fraction_bits) - 1);
  double magnitude;
  if (exponent == (1 << exponent_bits) - 1) {
    magnitude = std::numeric_limits<double>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, 1 - bias - fraction_bits);
  } else {
    magnitude = std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  }
  return bits & 0x8000 ? -magnitude : magnitude;
}

template <typename T>
struct Format;
template <>
struct Format<Fp16> {
  static constexpr int kExponentBits = 5;
  static constexpr uint16_t kInfinity = 0x7C00;
};
template <>
struct Format<Bf16> {
  static constexpr int kExponentBits = 8;
  static constexpr uint16_t kInfinity = 0x7F80;
};

template <typename T>
class HalfTest : public testing::Test {};
using Halves = testing::Types<Fp16, Bf16>;
TYPED_TEST_SUITE(HalfTest, Halves);

TYPED_TEST(HalfTest, AllValuesAreWhatTheirBitsSay) {
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    auto half = TypeParam::FromBits(static_cast<uint16_t>(bits));
    float value = half.ToFloat();
    if ((bits & 0x7FFF) > Format<TypeParam>::kInfinity) {
      ASSERT_TRUE(std::isnan(value)) << bits;
      TypeParam back(value);
      ASSERT_TRUE(std::isnan(back.ToFloat())) << bits;
      // Quiet, with sign and payload.
      uint16_t quiet_bit = (Format<TypeParam>::kInfinity & -Format<TypeParam>::kInfinity) >> 1;
      ASSERT_EQ(back.bits, bits | quiet_bit);
      continue;
    }
    double reference = Reference(static_cast<uint16_t>(bits), Format<TypeParam>::kExponentBits);
    ASSERT_EQ(static_cast<double>(value), reference) << bits;
    ASSERT_EQ(std::signbit(value), bits >= 0x8000) << bits;
    ASSERT_EQ(TypeParam(value).bits, bits);
    ASSERT_EQ(TypeParam(static_cast<double>(value)).bits, bits);
  }
}

// Between each two neighbours: the middle goes to the even one, all else to the nearer one.
TYPED_TEST(HalfTest, RoundsToTheNearestAndTiesToEven) {
  for (uint32_t bits = 0; bits < Format<TypeParam>::kInfinity; ++bits) {
    double low = Reference(static_cast<uint16_t>(bits), Format<TypeParam>::kExponentBits);
    // The step above the largest number is the one below it: from its middle on lies infinity.
    double high =
        bits + 1 == Format<TypeParam>::kInfinity
            ? low + (low -
                     Reference(static_cast<uint16_t>(bits - 1), Format<TypeParam>::kExponentBits))
            : Reference(static_cast<uint16_t>(bits + 1), Format<TypeParam>::kExponentBits);
    double middle = (low + high) / 2;  // a float for both formats, but for the least bfloat16
    for (double sign : {1.0, -1.0}) {
      uint32_t sign_bit = sign < 0 ? 0x8000 : 0;
      ASSERT_EQ(TypeParam(sign * middle).bits, sign_bit + bits + (bits & 1));
      ASSERT_EQ(TypeParam(sign * std::nextafter(middle, low)).bits, sign_bit + bits);
      ASSERT_EQ(TypeParam(sign * std::nextafter(middle, high)).bits, sign_bit + bits + 1);
      auto as_float = static_cast<float>(middle);
      if (static_cast<double>(as_float) != middle) continue;
      auto sign_float = static_cast<float>(sign);
      ASSERT_EQ(TypeParam(sign_float * as_float).bits, sign_bit + bits + (bits & 1));
      ASSERT_EQ(TypeParam(sign_float * std::nextafter(as_float, 0.0f)).bits, sign_bit + bits);
      ASSERT_EQ(TypeParam(sign_float * std::nextafter(as_float, INFINITY)).bits,
                sign_bit + bits + 1);
    }
  }
}

TYPED_TEST(HalfTest, WhatIsTooLargeOrTooSmallFits) {
  for (double huge : {1e39, 1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(TypeParam(huge).bits, Format<TypeParam>::kInfinity);
    EXPECT_EQ(TypeParam(-huge).bits, Format<TypeParam>::kInfinity | 0x8000);
  }
  EXPECT_EQ(TypeParam(1e-300).bits, 0);
  EXPECT_EQ(TypeParam(-1e-300).bits, 0x8000);
  EXPECT_TRUE(std::isnan(TypeParam(std::nan("")).ToFloat()));
}

TYPED_TEST(HalfTest, ComputesInFloat) {
  TypeParam a(3.0f), b(0.5f);
  EXPECT_EQ((a + b).ToFloat(), 3.5f);
  EXPECT_EQ((a - b).ToFloat(), 2.5f);
  EXPECT_EQ((a * b).ToFloat(), 1.5f);
  EXPECT_EQ((a / b).ToFloat(), 6.0f);
  EXPECT_EQ((-a).ToFloat(), -3.0f);
  EXPECT_EQ((+a).ToFloat(), 3.0f);
  a += b;
  a -= TypeParam(1.5f);
  a *= TypeParam(4);
  a /= TypeParam(2.0);
  EXPECT_EQ(static_cast<float>(a), 4.0f);
  EXPECT_EQ(static_cast<double>(a), 4.0);
  EXPECT_EQ((TypeParam(1.0f) / TypeParam(0.0f)).bits, Format<TypeParam>::kInfinity);
}

TYPED_TEST(HalfTest, ComparesAsFloatsDo) {
  TypeParam zero, minus_zero(-0.0f), one(1), nan = std::numeric_limits<TypeParam>::quiet_NaN();
  EXPECT_EQ(zero, minus_zero);
  EXPECT_LT(zero, one);
  EXPECT_GE(one, zero);
  EXPECT_NE(nan, nan);
  EXPECT_FALSE(nan < one || nan >= one);
}

TYPED_TEST(HalfTest, Limits) {
  using Limits = std::numeric_limits<TypeParam>;
  EXPECT_EQ(Limits::infinity().bits, Format<TypeParam>::kInfinity);
  EXPECT_TRUE(std::isnan(Limits::quiet_NaN().ToFloat()));
  EXPECT_EQ(Limits::max().bits, Format<TypeParam>::kInfinity - 1);
  EXPECT_EQ(Limits::lowest(), -Limits::max());
  EXPECT_EQ(Limits::epsilon().ToFloat(), std::ldexp(1.0f, 1 - Limits::digits));
  EXPECT_EQ((TypeParam(1) + Limits::epsilon()).bits, TypeParam(1).bits + 1);
  EXPECT_EQ(Limits::min().bits, 1 << (Limits::digits - 1));
}

TEST(Fp16Test, KnownValues) {
  EXPECT_EQ(Fp16(1.5f).bits, 15872);
  EXPECT_EQ(Fp16(65504.0f).bits, 0x7BFF);
  EXPECT_EQ(Fp16(65519.996f).bits, 0x7BFF);
  EXPECT_EQ(Fp16(65520).bits, 0x7C00);
  static_assert(Fp16(2.0f) + Fp16(1.0f) == Fp16(3));
}

TEST(Bf16Test, KnownValues) {
  EXPECT_EQ(Bf16(1.0f).bits, 16256);
  EXPECT_EQ(Bf16(3.14159f).ToFloat(), 3.140625f);
  // A tie between two bfloat16 that one bit far below decides; through a rounded float it would be
  // lost.
  EXPECT_EQ(Bf16(1.0 + 0x1p-8 + 0x1p-40).bits, 16257);
}

}  // namespace
}  // namespace tfrt
