// Heads of HTTP/1.1 requests: the request line and the header fields, as RFC 9112 defines them.
//
// The rules are the strict ones, because two readers that differ about the end of a request let one
// client speak for another. Lines end with CRLF alone. A request has either a Content-Length or
// the transfer coding "chunked", each at most once. Folded lines, spaces before a colon and
// control characters are refused.
#ifndef TFRT_LIB_SERVE_HTTP_HEAD_PARSER_H_
#define TFRT_LIB_SERVE_HTTP_HEAD_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tfrt::serve::http {

// One header field; borrows both texts.
struct HeaderView {
  std::string_view name, value;
};

// Limits of one head. All are in bytes but the last.
struct HeadLimits {
  size_t max_request_line = 8 << 10;  // longer ones: 414
  size_t max_head = 32 << 10;         // longer ones: 431
  size_t max_headers = 100;           // more: 431
};

// An answer that refuses a request: its status, and the reason in English. 0 if there is none.
struct Refusal {
  int status = 0;
  std::string_view reason;  // static text

  explicit operator bool() const { return status != 0; }
};

// One parsed head. Borrows the text that was parsed.
struct RequestHead {
  std::string_view method, target;
  std::string_view path, query;  // parts of the target, not decoded; the query is without its '?'
  std::vector<HeaderView> headers;
  std::optional<uint64_t> content_length;
  int minor_version = 1;  // 0 for HTTP/1.0
  bool is_chunked = false;
  bool keep_alive = true;
  bool expects_continue = false;

  // Returns the first value of a field, or none. ASCII case does not matter.
  std::optional<std::string_view> Find(std::string_view name) const;
};

// Finds the end of a head that arrives in parts. Each byte is looked at once.
class HeadScanner {
 public:
  enum class Result : uint8_t { kIncomplete, kComplete, kRefused };
  // `bytes` begins with those of the call before. After kComplete the head is bytes[0, end()).
  Result Scan(std::string_view bytes, const HeadLimits& limits);
  size_t end() const { return scanned_; }
  const Refusal& refusal() const { return refusal_; }
  void Reset() { *this = HeadScanner(); }

 private:
  Result Refuse(int status, std::string_view reason);

  size_t scanned_ = 0;
  size_t line_begin_ = 0;
  size_t num_lines_ = 0;    // after empty lines at the beginning
  size_t num_skipped_ = 0;  // empty lines at the beginning
  Refusal refusal_;
};

// Parses a head that HeadScanner has found complete. Returns a refusal with status 0 on success.
Refusal ParseHead(std::string_view text, const HeadLimits& limits, RequestHead* head);

// Returns whether two texts are equal but for the case of ASCII letters.
bool EqualIgnoringCase(std::string_view a, std::string_view b);
// Returns whether a text is a token of RFC 9110, such as a method or a field's name.
bool IsToken(std::string_view text);
// Returns whether a text may be a field's value: no control characters but tabs.
bool IsFieldValue(std::string_view text);
// Returns the text without spaces and tabs at both ends.
std::string_view TrimSpaces(std::string_view text);

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_HEAD_PARSER_H_
