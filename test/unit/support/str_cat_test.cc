#include "tfrt/support/str_cat.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace tfrt {
namespace {

TEST(StrCatTest, OfNothingIsEmpty) { EXPECT_EQ(StrCat(), ""); }

TEST(StrCatTest, TakesAllKindsOfText) {
  std::string text = "string";
  std::string_view view("view\0behind", 11);
  EXPECT_EQ(StrCat("literal ", text, ' ', view), "literal string " + std::string(view));
}

TEST(StrCatTest, NumbersOfEveryWidthKeepTheirSign) {
  EXPECT_EQ(StrCat(std::numeric_limits<int64_t>::min(), " ", std::numeric_limits<uint64_t>::max()),
            "-9223372036854775808 18446744073709551615");
  EXPECT_EQ(StrCat(int8_t{-1}, uint8_t{200}, short{-3}, 4u), "-1200-34");
  EXPECT_EQ(StrCat(true, false), "10");
  EXPECT_EQ(StrCat(1.5, " ", 2.0f), "1.500000 2.000000");
}

}  // namespace
}  // namespace tfrt
