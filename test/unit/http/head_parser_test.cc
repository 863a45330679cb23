#include "lib/serve/http/head_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

// Scans a text that arrives whole and byte by byte, and parses it. Returns "STATUS REASON", or
// "ok".
std::string Parse(const std::string& text, RequestHead* head, const HeadLimits& limits = {}) {
  HeadScanner whole, parts;
  const HeadScanner::Result result = whole.Scan(text, limits);
  HeadScanner::Result last = HeadScanner::Result::kIncomplete;
  for (size_t i = 1; i <= text.size() && last == HeadScanner::Result::kIncomplete; ++i) {
    last = parts.Scan(std::string_view(text).substr(0, i), limits);
  }
  EXPECT_EQ(last, result);
  EXPECT_EQ(parts.refusal().reason, whole.refusal().reason);
  Refusal refusal = whole.refusal();
  if (result == HeadScanner::Result::kIncomplete) return "incomplete";
  if (result == HeadScanner::Result::kComplete) {
    EXPECT_EQ(parts.end(), whole.end());
    refusal = ParseHead(std::string_view(text).substr(0, whole.end()), limits, head);
  }
  return refusal ? StrCat(refusal.status, ' ', refusal.reason) : "ok";
}
std::string Error(const std::string& text, const HeadLimits& limits = {}) {
  RequestHead head;
  return Parse(text, &head, limits);
}
// Returns the error for a request with one more header line.
std::string HeaderError(std::string_view line) {
  return Error(StrCat("POST / HTTP/1.1\r\nHost: a\r\n", line, "\r\n\r\n"));
}

TEST(HeadParserTest, PartsOfAHead) {
  RequestHead head;
  const std::string text =
      "POST /v2/models/a%20b/infer?x=1?y HTTP/1.1\r\nhOST:localhost:8000\r\n"
      "Content-Length: \t 123 \t\r\nX-Empty:\r\nX-Obs: \xe9\r\nX-A: 1\r\nx-a: 2\r\n\r\n";
  ASSERT_EQ(Parse(text, &head), "ok");
  EXPECT_EQ(head.method, "POST");
  EXPECT_EQ(head.target, "/v2/models/a%20b/infer?x=1?y");
  EXPECT_EQ(head.path, "/v2/models/a%20b/infer");
  EXPECT_EQ(head.query, "x=1?y");
  EXPECT_EQ(head.headers.size(), 6u);
  EXPECT_EQ(head.Find("HOST"), "localhost:8000");
  EXPECT_EQ(head.Find("x-empty"), "");
  EXPECT_EQ(head.Find("x-obs"), "\xe9");
  EXPECT_EQ(head.Find("x-a"), "1");
  EXPECT_EQ(head.Find("x-b"), std::nullopt);
  EXPECT_EQ(head.content_length, 123u);
  EXPECT_TRUE(head.keep_alive);
  EXPECT_FALSE(head.is_chunked);
}

TEST(HeadParserTest, Connections) {
  const auto keeps = [](std::string_view version, std::string_view value) {
    RequestHead head;
    EXPECT_EQ(
        Parse(StrCat("GET / ", version, "\r\nHost: a\r\nConnection: ", value, "\r\n\r\n"), &head),
        "ok");
    return head.keep_alive;
  };
  EXPECT_TRUE(keeps("HTTP/1.1", "Upgrade"));
  EXPECT_TRUE(keeps("HTTP/1.7", ""));
  EXPECT_FALSE(keeps("HTTP/1.1", "foo, Close"));
  EXPECT_FALSE(keeps("HTTP/1.1", "close, keep-alive"));
  EXPECT_FALSE(keeps("HTTP/1.0", "foo"));
  EXPECT_TRUE(keeps("HTTP/1.0", "foo , Keep-Alive"));
}

TEST(HeadParserTest, Targets) {
  const auto path = [](std::string_view method, std::string_view target) {
    RequestHead head;
    const std::string text = StrCat(method, " ", target, " HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string error = Parse(text, &head);
    return error == "ok" ? StrCat(head.path, " ", head.query) : error;
  };
  EXPECT_EQ(path("GET", "http://host:80/a?b"), "/a b");
  EXPECT_EQ(path("GET", "HTTPS://host"), "/ ");
  EXPECT_EQ(path("GET", "http://host?b"), "/ b");
  EXPECT_EQ(path("OPTIONS", "*"), "* ");
  EXPECT_EQ(path("GET", "*"), "400 the target * is for OPTIONS alone");
  const std::string no_path = "400 the target is neither a path nor an http address";
  EXPECT_EQ(path("CONNECT", "host:443"), no_path);
  EXPECT_EQ(path("GET", "ftp://host/a"), no_path);
  EXPECT_EQ(path("GET", "a"), no_path);
  const std::string bad = "400 the target is empty or has characters that are not allowed";
  EXPECT_EQ(path("GET", ""), bad);
  EXPECT_EQ(path("GET", "/a b"), bad);
  EXPECT_EQ(path("GET", "/a\tb"), bad);
  EXPECT_EQ(path("GET", "/a#b"), bad);
  EXPECT_EQ(path("GET", "/\xc3\xa9"), bad);
  EXPECT_EQ(path("GET", "/a\x7f"), bad);
}

TEST(HeadParserTest, RequestLines) {
  EXPECT_EQ(Error("GET\r\n\r\n"), "400 the request line is not 'METHOD TARGET VERSION'");
  EXPECT_EQ(Error("GET /\r\n\r\n"), "400 the request line is not 'METHOD TARGET VERSION'");
  EXPECT_EQ(Error("G(T / HTTP/1.1\r\n\r\n"), "400 the method is not a token");
  EXPECT_EQ(Error(" GET / HTTP/1.1\r\n\r\n"), "400 the method is not a token");
  const std::string bad_version = "400 the version is not of the form HTTP/1.1";
  EXPECT_EQ(Error("GET / http/1.1\r\n\r\n"), bad_version);
  EXPECT_EQ(Error("GET / HTTP/1.1 \r\n\r\n"), bad_version);
  EXPECT_EQ(Error("GET / HTTP/1.10\r\n\r\n"), bad_version);
  EXPECT_EQ(Error("GET / HTTP/x.1\r\n\r\n"), bad_version);
  EXPECT_EQ(Error("GET / HTTP/2.0\r\n\r\n"), "505 only HTTP/1.1 and HTTP/1.0 are served");
  EXPECT_EQ(Error("\r\nGET / HTTP/1.0\r\n\r\n"), "ok");
  EXPECT_EQ(Error("\r\n\r\nGET / HTTP/1.0\r\n\r\n"),
            "400 there are empty lines before the request line");
}

TEST(HeadParserTest, LinesEndWithCrLfAlone) {
  const std::string bare = "400 a line of the head does not end with CRLF";
  EXPECT_EQ(Error("GET / HTTP/1.1\nHost: a\n\n"), bare);
  EXPECT_EQ(Error("GET / HTTP/1.1\r\nHost: a\n\r\n"), bare);
  EXPECT_EQ(Error("GET / HTTP/1.1\r\nHost: a\r\n\n"), bare);
  EXPECT_EQ(Error("\nGET / HTTP/1.1\r\n\r\n"), bare);
  // A CR by itself is a control character, wherever it is.
  EXPECT_EQ(HeaderError("X-A: b\rc"), "400 a header has control characters");
  EXPECT_EQ(HeaderError("X-A: b\r"), "400 a header has control characters");
  EXPECT_EQ(Error("GET /\r HTTP/1.1\r\nHost: a\r\n\r\n"),
            "400 the target is empty or has characters that are not allowed");
  EXPECT_EQ(Error("GET / HTTP/1.1\r\nHost: a\r\n"), "incomplete");
}

TEST(HeadParserTest, Headers) {
  EXPECT_EQ(HeaderError(" folded"), "400 a header is folded over lines");
  EXPECT_EQ(HeaderError("\tfolded: b"), "400 a header is folded over lines");
  EXPECT_EQ(HeaderError("X-A"), "400 a header has no colon");
  const std::string bad_name = "400 the name of a header is not a token";
  EXPECT_EQ(HeaderError("X-A : b"), bad_name);
  EXPECT_EQ(HeaderError(": b"), bad_name);
  EXPECT_EQ(HeaderError("X[]: b"), bad_name);
  EXPECT_EQ(HeaderError("X\xe9: b"), bad_name);
  EXPECT_EQ(HeaderError(std::string_view("X\0: b", 5)), bad_name);
  const std::string bad_value = "400 a header has control characters";
  EXPECT_EQ(HeaderError(std::string_view("X-A: b\0c", 8)), bad_value);
  EXPECT_EQ(HeaderError("X-A: \x01"), bad_value);
  EXPECT_EQ(HeaderError("X-A: b\x7f"), bad_value);
  EXPECT_EQ(HeaderError("X-A: a\tb"), "ok");
  EXPECT_EQ(HeaderError("host: b"), "400 there is more than one Host");
  EXPECT_EQ(Error("GET / HTTP/1.1\r\n\r\n"), "400 there is no Host");
  EXPECT_EQ(Error("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
            "400 the Host has characters that are not allowed");
  EXPECT_EQ(Error("GET / HTTP/1.1\r\nHost:\r\n\r\n"), "ok");
  EXPECT_EQ(HeaderError("Expect: 200-ok"), "417 the only expectation met is 100-continue");
}

TEST(HeadParserTest, Lengths) {
  const std::string not_number = "400 the Content-Length is not a number";
  for (const char* value : {"-1", "+1", "0x10", "1 2", "1, 1", "1.0", "\xb2"}) {
    EXPECT_EQ(HeaderError(StrCat("Content-Length: ", value)), not_number);
  }
  EXPECT_EQ(HeaderError("Content-Length:"), "400 the Content-Length is empty");
  EXPECT_EQ(HeaderError("Content-Length: 1\r\nContent-Length: 1"),
            "400 there is more than one Content-Length");
  EXPECT_EQ(HeaderError("Content-Length: 18446744073709551616"),
            "413 the Content-Length is too large");
  EXPECT_EQ(HeaderError("Content-Length: 18446744073709551615"), "ok");
  EXPECT_EQ(HeaderError("Content-Length: 0000000000000000000000000000001"), "ok");
}

TEST(HeadParserTest, TransferCodings) {
  EXPECT_EQ(HeaderError("Transfer-Encoding: ChunkeD"), "ok");
  const std::string both = "400 there is both a Content-Length and a Transfer-Encoding";
  EXPECT_EQ(HeaderError("Transfer-Encoding: chunked\r\nContent-Length: 1"), both);
  EXPECT_EQ(HeaderError("Content-Length: 0\r\nTransfer-Encoding: chunked"), both);
  EXPECT_EQ(HeaderError("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
            "400 there is more than one Transfer-Encoding");
  const std::string not_last = "400 the last transfer coding is not chunked";
  for (const char* value : {"", "identity", "gzip", "chunked, gzip", "xchunked"}) {
    EXPECT_EQ(HeaderError(StrCat("Transfer-Encoding: ", value)), not_last) << value;
  }
  EXPECT_EQ(HeaderError("Transfer-Encoding: gzip, chunked"),
            "501 the only transfer coding served is chunked");
  EXPECT_EQ(HeaderError("Transfer-Encoding : chunked"), "400 the name of a header is not a token");
  EXPECT_EQ(HeaderError("Transfer-Encoding: \x0b"
                        "chunked"),
            "400 a header has control characters");
  EXPECT_EQ(Error("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"),
            "400 HTTP/1.0 has no Transfer-Encoding");
}

TEST(HeadParserTest, Limits) {
  const HeadLimits limits{.max_request_line = 20, .max_head = 100, .max_headers = 3};
  const std::string line = "GET /12345 HTTP/1.1\r\n";  // 19 bytes
  EXPECT_EQ(Error(line + "Host: a\r\n\r\n", limits), "ok");
  EXPECT_EQ(Error("GET /1234567 HTTP/1.1\r\n", limits), "414 the request line is too long");
  EXPECT_EQ(Error("GET /" + std::string(18, 'x'), limits), "414 the request line is too long");
  EXPECT_EQ(Error(line + "a: b\r\nHost: a\r\nc: d\r\n\r\n", limits), "ok");
  EXPECT_EQ(Error(line + "a: b\r\nHost: a\r\nc: d\r\ne:\r\n", limits),
            "431 there are too many headers");
  EXPECT_EQ(Error(line + "Host: a\r\nb: " + std::string(65, 'x') + "\r\n\r\n", limits),
            "431 the head is too long");
}

}  // namespace
}  // namespace tfrt::serve::http
