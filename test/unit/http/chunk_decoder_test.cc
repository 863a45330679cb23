#include "lib/serve/http/chunk_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

// Decodes a text that arrives in parts of `step` bytes. Returns "BODY|REST", or what is wrong.
std::string DecodeInSteps(std::string_view text, size_t step, size_t max_body, size_t max_extra) {
  ChunkDecoder decoder(max_body, max_extra);
  std::string body;
  while (!text.empty() && !decoder.is_done()) {
    std::string_view part = text.substr(0, step);
    while (!part.empty() && !decoder.is_done()) {
      const ChunkDecoder::Step done = decoder.Next(part);
      if (done.refusal) return StrCat(done.refusal.status, ' ', done.refusal.reason);
      body += done.data;
      part.remove_prefix(done.consumed);
      text.remove_prefix(done.consumed);
    }
  }
  return decoder.is_done() ? StrCat(body, '|', text) : "incomplete";
}
std::string Decode(std::string_view text, size_t max_body = 100, size_t max_extra = 40) {
  const std::string whole = DecodeInSteps(text, text.size(), max_body, max_extra);
  for (size_t step : {1, 2, 3, 7}) {
    EXPECT_EQ(DecodeInSteps(text, step, max_body, max_extra), whole) << step;
  }
  return whole;
}

TEST(ChunkDecoderTest, Bodies) {
  EXPECT_EQ(Decode("0\r\n\r\n"), "|");
  EXPECT_EQ(Decode("4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\nGET"), "Wikipedia|GET");
  EXPECT_EQ(Decode("00A\r\n0123456789\r\n00\r\n\r\n"), "0123456789|");
  EXPECT_EQ(Decode("a\r\n\r\n\r\n\r\n\r\n\r\n\r\n000\r\n\r\n"), "\r\n\r\n\r\n\r\n\r\n|");
  EXPECT_EQ(Decode("1;a;b=\"c\"\r\nx\r\n0 ; z\r\n\r\n"), "x|");
  EXPECT_EQ(Decode("1\r\nx\r\n0\r\nX-Sum: 1\r\nB:\r\n\r\n"), "x|");
  EXPECT_EQ(Decode("1\r\nx\r\n0\r\n"), "incomplete");
}

TEST(ChunkDecoderTest, Sizes) {
  const std::string bad = "400 the size of a chunk is not a number";
  for (const char* size : {"", "g", "-1", "+1", "0x1", " 1", "1 2", "1\t1", "\r\n"}) {
    EXPECT_EQ(Decode(StrCat(size, "\r\nx\r\n0\r\n\r\n")), bad) << size;
  }
  EXPECT_EQ(Decode("1 \r\nx\r\n0\r\n\r\n"), bad);  // a space needs an extension
  EXPECT_EQ(Decode("1\nx\r\n0\r\n\r\n"), bad);
  EXPECT_EQ(Decode("1\r\rx"), "400 the line of a chunk's size does not end with CRLF");
  EXPECT_EQ(Decode("1;a\nx"), "400 an extension of a chunk has control characters");
  EXPECT_EQ(Decode("1000000000000000\r\n"), "413 the size of a chunk is too large");
  EXPECT_EQ(Decode("fffffffffffffff\r\n"), "413 the body is too large");
  EXPECT_EQ(Decode("64\r\n"), "incomplete");
  EXPECT_EQ(Decode("65\r\n"), "413 the body is too large");
  EXPECT_EQ(Decode("5\r\n12345\r\n60\r\n"), "413 the body is too large");
}

TEST(ChunkDecoderTest, EndsOfChunks) {
  const std::string bad = "400 the data of a chunk do not end with CRLF";
  EXPECT_EQ(Decode("1\r\nxy\r\n"), bad);
  EXPECT_EQ(Decode("1\r\nx\n0\r\n\r\n"), bad);
  EXPECT_EQ(Decode("1\r\nx\r0\r\n\r\n"), bad);
  EXPECT_EQ(Decode("0\r\n\rX"), "400 the end of the body is not CRLF");
}

TEST(ChunkDecoderTest, TrailersAndExtensions) {
  EXPECT_EQ(Decode("0\r\n\n"), "400 a trailer does not begin with a name");
  EXPECT_EQ(Decode("0\r\n: a\r\n\r\n"), "400 a trailer does not begin with a name");
  EXPECT_EQ(Decode("0\r\n folded\r\n\r\n"), "400 a trailer does not begin with a name");
  EXPECT_EQ(Decode("0\r\nab\r\n\r\n"), "400 a trailer has no colon");
  EXPECT_EQ(Decode("0\r\na b: c\r\n\r\n"), "400 the name of a trailer is not a token");
  EXPECT_EQ(Decode("0\r\na: b\nc: d\r\n\r\n"), "400 a trailer has control characters");
  EXPECT_EQ(Decode("0\r\na: b\rc\r\n\r\n"), "400 a trailer does not end with CRLF");
  EXPECT_EQ(Decode(StrCat("0\r\na: ", std::string(50, 'b'), "\r\n\r\n")),
            "431 the trailers are too long");
  EXPECT_EQ(Decode(StrCat("1;", std::string(50, 'b'), "\r\nx\r\n")),
            "431 the extensions of chunks are too long");
  EXPECT_EQ(Decode(StrCat("1", std::string(50, ' '), ";\r\nx\r\n")),
            "431 the extensions of chunks are too long");
  // The limit is for all chunks together.
  std::string many;
  for (int i = 0; i < 30; ++i) many += "1;ab\r\nx\r\n";
  EXPECT_EQ(Decode(many), "431 the extensions of chunks are too long");
}

}  // namespace
}  // namespace tfrt::serve::http
