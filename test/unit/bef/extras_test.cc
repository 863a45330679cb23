#include "tfrt/bef/extras.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/unit/bef/bytes_from_text.h"

namespace tfrt::bef {
namespace {

TEST(NonStrict, BytesAndBack) {
  NonStrictMarks marks = {{.function = 1, .kernels = {0, 200}}, {.function = 4, .kernels = {3}}};
  Buffer payload;
  EncodeNonStrict(marks, &payload);
  EXPECT_EQ(payload.bytes(), Bytes("02  01 02 00 81 48  04 01 03"));
  StatusOr<NonStrictMarks> decoded = DecodeNonStrict(payload.bytes());
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  EXPECT_EQ(*decoded, marks);
}

TEST(NonStrict, RefusesDamage) {
  for (const char* text : {"", "05", "01 00 00", "01 00 02 03 03", "01 00 02 04 03",
                           "02 01 01 00 01 01 00", "00 00", "01 00 ff ff ff 7f 00"}) {
    StatusOr<NonStrictMarks> decoded = DecodeNonStrict(Bytes(text));
    ASSERT_FALSE(decoded.ok()) << text;
    EXPECT_THAT(std::string(decoded.status().message()),
                testing::StartsWith("section NonStrict in BEF file is damaged near its byte "));
  }
}

Extras ExampleExtras() {
  Extras extras;
  extras.module_attributes = {{"a", "1 : i64"}};
  FunctionExtras function{.function = 2, .visibility = 1, .attributes = {{"u", "unit"}}};
  function.kernels = {
      {.kernel = 0, .cost = -3, .symbols = {{"fns", true, 2}}, .attributes = {}},
      {.kernel = 5, .cost = {}, .symbols = {{"callee", false, 1}}, .attributes = {{"x", "y"}}}};
  extras.functions = {function};
  return extras;
}

TEST(Extras, BytesAndBack) {
  Buffer payload;
  EncodeExtras(ExampleExtras(), &payload);
  EXPECT_EQ(payload.bytes(),
            Bytes("01 01 'a' 07 '1' 20 ':' 20 'i64'  01  02 01  01 01 'u' 04 'unit'"
                  "  02  00 01 05  01 03 'fns' 05  00"
                  "      05 00     01 06 'callee' 02  01 01 'x' 01 'y'"));
  StatusOr<Extras> decoded = DecodeExtras(payload.bytes());
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  EXPECT_EQ(*decoded, ExampleExtras());
}

TEST(Extras, CostsOfAllSizes) {
  for (int64_t cost : {int64_t{0}, int64_t{-1}, int64_t{1}, INT64_MAX, INT64_MIN}) {
    Extras extras;
    extras.functions = {{.function = 0, .kernels = {{.kernel = 0, .cost = cost}}}};
    Buffer payload;
    EncodeExtras(extras, &payload);
    StatusOr<Extras> decoded = DecodeExtras(payload.bytes());
    ASSERT_TRUE(decoded.ok());
    EXPECT_EQ(decoded->functions[0].kernels[0].cost, cost);
  }
}

TEST(Extras, RefusesEveryTruncation) {
  Buffer payload;
  EncodeExtras(ExampleExtras(), &payload);
  std::span<const uint8_t> bytes(payload.bytes());
  for (size_t size = 0; size < bytes.size(); ++size) {
    StatusOr<Extras> decoded = DecodeExtras(bytes.first(size));
    ASSERT_FALSE(decoded.ok()) << size;
    EXPECT_THAT(std::string(decoded.status().message()),
                testing::StartsWith("section Extras in BEF file is damaged near its byte "));
  }
}

}  // namespace
}  // namespace tfrt::bef
