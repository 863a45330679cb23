#include "lib/compat/bef_run/result_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "tfrt/async/async_value_ref.h"

namespace tfrt {
namespace {

template <typename T>
std::string Text(std::string_view type, T payload) {
  auto value = MakeAvailableAsyncValueRef<T>(payload);
  Value sync_value = Value::Make<T>(payload);
  std::string text = ResultText(type, *value.GetAsyncValue(), false);
  EXPECT_EQ(ResultText(type, sync_value), text);
  return text;
}

TEST(ResultTextTest, Numbers) {
  EXPECT_EQ(Text("i1", true), "1");
  EXPECT_EQ(Text("i1", false), "0");
  EXPECT_EQ(Text("i32", int32_t{-7}), "-7");
  EXPECT_EQ(Text("i64", int64_t{1} << 40), "1099511627776");
  EXPECT_EQ(Text("f32", 2.5f), "2.500000e+00");
  EXPECT_EQ(Text("f64", -0.0), "-0.000000e+00");
  EXPECT_EQ(Text("f64", 1e-300), "1.000000e-300");
}

TEST(ResultTextTest, SpecialNumbers) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Text("f64", kInfinity), "INF");
  EXPECT_EQ(Text("f64", -kInfinity), "-INF");
  EXPECT_EQ(Text("f64", std::nan("")), "nan");
  EXPECT_EQ(Text("f64", -std::nan("")), "nan");
}

TEST(ResultTextTest, OtherTypesAndUnsuitablePayloads) {
  EXPECT_EQ(Text("ui32", uint32_t{7}), "ui32 value");
  EXPECT_EQ(Text("!my.type", std::string("x")), "!my.type value");
  EXPECT_EQ(Text("i32", 1.5f), "i32 value");
}

TEST(ResultTextTest, Errors) {
  auto error = MakeErrorAsyncValue(InvalidArgumentError("boom"));
  EXPECT_EQ(ResultText("i32", *error, false), "<<error: boom>>");
  EXPECT_EQ(ResultText("i32", *error, true), "<<error: boom, code: INVALID_ARGUMENT>>");
  EXPECT_EQ(ErrorText(CancelledError("Cancelled"), true), "<<error: Cancelled, code: CANCELLED>>");
}

}  // namespace
}  // namespace tfrt
