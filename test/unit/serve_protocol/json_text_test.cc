#include "lib/serve/protocol/json_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "lib/serve/protocol/access_log.h"

namespace tfrt::serve {
namespace {

std::string TextOf(std::string_view text) {
  JsonText json;
  json.Text(text);
  return json.text();
}

TEST(JsonTextTest, PutsCommasBetweenMembers) {
  JsonText json;
  json.Open('{').Key("a").Number(1).Key("b").Open('[').Close(']').Key("c").Open('[');
  json.Bool(true).Number(uint64_t{2}).Text("x").Open('{').Close('}').Close(']').Close('}');
  EXPECT_EQ(json.text(), R"({"a":1,"b":[],"c":[true,2,"x",{}]})");
}

// Readers take digits alone for an integer of at most 64 bits, which has no -0.
TEST(JsonTextTest, NumbersAreReadAsTheSame) {
  JsonText json;
  json.Open('[').Number(1.5f).Number(2.0).Number(-0.0).Number(-0.0f).Number(0.0);
  json.Number(0x1p64).Number(-0x1p64f).Number(1e22).Number(0x1p53).Close(']');
  EXPECT_EQ(json.text(),
            "[1.5,2,-0.0,-0.0,0,18446744073709551616.0,-1.8446744e+19,1e+22,9007199254740992]");
}

TEST(JsonTextTest, EscapesTexts) {
  EXPECT_EQ(TextOf("a\"\\\n\x01/"), R"("a\"\\\u000a\u0001/")");
  EXPECT_EQ(TextOf("h\xC3\xA9 \xF0\x9F\x98\x80"), "\"h\xC3\xA9 \xF0\x9F\x98\x80\"");
  // Bytes that are no UTF-8: alone, cut off, too long, a surrogate, above the last character.
  for (const char* bytes : {"\xFF", "\xC3", "\x80"}) {
    EXPECT_EQ(TextOf(bytes), "\"\xEF\xBF\xBD\"") << bytes;
  }
  for (const char* bytes : {"\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80"}) {
    EXPECT_EQ(TextOf(bytes).find(bytes), std::string::npos);
    EXPECT_EQ(TextOf(bytes).substr(0, 4), "\"\xEF\xBF\xBD");
  }
}

// The numbers written one by one, and all at once; they must be equal.
template <typename T>
void ExpectSameText(std::span<const T> numbers) {
  JsonText one_by_one, at_once;
  one_by_one.Open('[');
  for (T number : numbers) one_by_one.Number(number);
  one_by_one.Close(']');
  at_once.Open('[');
  EXPECT_TRUE(at_once.Numbers(numbers));
  at_once.Close(']');
  EXPECT_EQ(at_once.text(), one_by_one.text());
}

template <typename T>
void ExpectSameTexts() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers = {0,
                            T(-0.0),
                            1,
                            -1,
                            T(0.1),
                            T(1e20),
                            T(123456789),
                            16777216,
                            T(1 << 24),
                            Limits::max(),
                            Limits::lowest(),
                            Limits::min(),
                            -Limits::denorm_min(),
                            T(4611686018427387904.0),
                            T(-1e30)};
  while (numbers.size() < 700) numbers.push_back(numbers[numbers.size() / 2] * T(-0.7) + T(1e-3));
  // The sizes are those of the chunks that are written, and others.
  for (size_t size : {0, 1, 2, 255, 256, 257, 512, 700}) {
    ExpectSameText(std::span<const T>(numbers).first(size));
  }
  for (T bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
    numbers.back() = bad;
    JsonText json;
    EXPECT_FALSE(json.Numbers(std::span<const T>(numbers)));
  }
}

TEST(JsonTextTest, NumbersAreWrittenAtOnceAsOneByOne) {
  ExpectSameTexts<float>();
  ExpectSameTexts<double>();
}

TEST(AccessLogTest, WritesOneObjectForEachCallOfGrpc) {
  CallAccess access;
  access.method = "/p.S/M";
  access.model = "m";
  access.code = StatusCode::kCancelled;
  access.id = "abc";
  access.sent_bytes = 5;
  const std::string line = CallLine(access);
  EXPECT_THAT(line, testing::HasSubstr("\"method\":\"POST\",\"target\":\"/p.S/M\",\"status\":499,"
                                       "\"code\":\"CANCELLED\",\"model\":\"m\",\"request_id\":"
                                       "\"abc\",\"peer\":\"\",\"microseconds\":0,"
                                       "\"received_bytes\":0,\"sent_bytes\":5,"
                                       "\"client_is_gone\":true}\n"));
  const std::string long_name(1000, 'm');
  access.model = long_name;
  EXPECT_LT(CallLine(access).size(), 600u);
}

TEST(AccessLogTest, WritesOneObjectForEachRequest) {
  http::Access access;
  access.method = "POST";
  access.target = "/v2/\"";
  access.id = "abc";
  access.peer = "127.0.0.1:1";
  access.trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  access.status = 200;
  access.duration = std::chrono::microseconds(12);
  access.client_is_gone = true;
  const std::string line = AccessLine(access);
  EXPECT_THAT(line, testing::MatchesRegex(
                        "\\{\"time\":\"....-..-..T..:..:..\\....Z\",\"method\":\"POST\",\"target\":"
                        "\"/v2/\\\\\"\",\"status\":200,\"request_id\":\"abc\",\"trace_id\":"
                        "\"0af7651916cd43dd8448eb211c80319c\",\"peer\":\"127.0.0.1:1\","
                        "\"microseconds\":12,\"received_bytes\":0,\"sent_bytes\":0,"
                        "\"client_is_gone\":true\\}\n"));
  EXPECT_THAT(EventLine("info", "a\nb"),
              testing::EndsWith("\"severity\":\"info\",\"message\":\"a\\u000ab\"}\n"));
}

TEST(AccessLogTest, MalformedTracesAreNone) {
  const std::string good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  EXPECT_EQ(TraceOf(good), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(TraceOf("cc" + good.substr(2) + "-more"), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(TraceOf(good + "-more"), "");
  EXPECT_EQ(TraceOf("ff" + good.substr(2)), "");
  EXPECT_EQ(TraceOf("00-00000000000000000000000000000000-b7ad6b7169203331-01"), "");
  EXPECT_EQ(TraceOf("00-0AF7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), "");
  for (size_t size = 0; size < good.size(); ++size) EXPECT_EQ(TraceOf(good.substr(0, size)), "");
}

}  // namespace
}  // namespace tfrt::serve
