// Texts of any bytes as JSON.
#include "lib/profiler/files/json_text.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace tfrt::profiler {
namespace {

TEST(JsonTextTest, KeepsAllBytes) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  for (int first = 0; first < 256; ++first) {
    for (std::string text : {all.substr(static_cast<size_t>(first)),
                             std::string(1, static_cast<char>(first)) + "\x80\xBF\x80"}) {
      std::string json;
      AppendJsonText(text, &json);
      EXPECT_TRUE(DecodeJsonText(json).size() >= text.size());
    }
  }
  std::string json;
  AppendJsonText("a\"\\\x01\xFF\xEF\xBF\xBD", &json);
  EXPECT_EQ(json,
            "\"a\\\"\\\\\\u0001\xEF\xBF\xBD"
            "FF\xEF\xBF\xBD"
            "EF\xEF\xBF\xBD"
            "BF\xEF\xBF\xBD"
            "BD\"");
  EXPECT_EQ(DecodeJsonText("\xEF\xBF\xBD"
                           "FF"),
            "\xFF");
  EXPECT_EQ(DecodeJsonText("\xEF\xBF\xBDx"), "\xEF\xBF\xBDx");
}

TEST(JsonTextTest, WritesExactTimes) {
  auto text = [](int64_t ns) {
    std::string out;
    AppendMicroseconds(ns, &out);
    return out;
  };
  EXPECT_EQ(text(0), "0.000");
  EXPECT_EQ(text(-1), "-0.001");
  EXPECT_EQ(text(1234567), "1234.567");
  EXPECT_EQ(text(std::numeric_limits<int64_t>::min()), "-9223372036854775.808");
}

}  // namespace
}  // namespace tfrt::profiler
