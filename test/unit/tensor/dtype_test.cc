#include "tfrt/tensor/dtype.h"

#include <limits>

#include "gtest/gtest.h"

namespace tfrt {
namespace {

template <typename T>
std::string Print(T value) {
  std::string out;
  AppendElement(DTypeOf<T>(), &value, &out);
  return out;
}

TEST(DTypeTest, PrintsIntegersOfAllWidthsAsNumbers) {
  EXPECT_EQ(Print<uint8_t>(200), "200");
  EXPECT_EQ(Print<int8_t>(-3), "-3");
  EXPECT_EQ(Print<uint16_t>(65535), "65535");
  EXPECT_EQ(Print<int16_t>(-32768), "-32768");
  EXPECT_EQ(Print<uint32_t>(4294967295u), "4294967295");
  EXPECT_EQ(Print<int32_t>(-7), "-7");
  EXPECT_EQ(Print<uint64_t>(18446744073709551615u), "18446744073709551615");
  EXPECT_EQ(Print<int64_t>(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Print(true), "1");
  EXPECT_EQ(Print(false), "0");
}

TEST(DTypeTest, PrintsFloatsInScientificForm) {
  EXPECT_EQ(Print(0.25f), "2.500000e-01");
  EXPECT_EQ(Print(-0.0f), "-0.000000e+00");
  EXPECT_EQ(Print(1e300), "1.000000e+300");
  EXPECT_EQ(Print(std::numeric_limits<float>::infinity()), "INF");
  EXPECT_EQ(Print(-std::numeric_limits<double>::infinity()), "-INF");
  EXPECT_EQ(Print(-std::numeric_limits<float>::quiet_NaN()), "nan");
}

TEST(DTypeTest, PrintsTheOtherTypesInTheirOwnForm) {
  EXPECT_EQ(Print(Fp16::FromBits(15872)), "fp16(15872)");
  EXPECT_EQ(Print(Bf16::FromBits(16256)), "bf16(16256)");
  EXPECT_EQ(Print(std::complex<float>(1, -2)), "(1.000000e+00,-2.000000e+00)");
  EXPECT_EQ(Print(std::complex<double>(0, 1)), "(0.000000e+00,1.000000e+00)");
  const std::pair<DType, const char*> quantized[] = {{DType::kQUI8, "qu8(2)"},
                                                     {DType::kQUI16, "qu16(2)"},
                                                     {DType::kQI8, "qi8(2)"},
                                                     {DType::kQI16, "qi16(2)"},
                                                     {DType::kQI32, "qi32(2)"}};
  int32_t two = 2;
  for (auto [dtype, text] : quantized) {
    std::string out;
    AppendElement(dtype, &two, &out);
    EXPECT_EQ(out, text);
  }
  std::string out;
  AppendElement(DType::kVariant, nullptr, &out);
  EXPECT_EQ(out, "?");
}

}  // namespace
}  // namespace tfrt
