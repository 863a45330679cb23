#include "lib/serve/http/head_parser.h"

#include <array>

namespace tfrt::serve::http {
namespace {

// Character classes of RFC 9110, as bits.
constexpr uint8_t kTokenBit = 1;   // tchar
constexpr uint8_t kValueBit = 2;   // in values of fields: VCHAR, obs-text, space, tab
constexpr uint8_t kTargetBit = 4;  // in targets: visible ASCII but '#'

constexpr std::array<uint8_t, 256> MakeClasses() {
  std::array<uint8_t, 256> classes{};
  for (int c = 0; c < 256; ++c) {
    if (c == '\t' || (c >= 0x20 && c != 0x7f)) classes[c] |= kValueBit;
    if (c > 0x20 && c < 0x7f && c != '#') classes[c] |= kTargetBit;
    const bool is_letter_or_digit =
        (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter_or_digit) classes[c] |= kTokenBit;
  }
  for (char c : std::string_view("!#$%&'*+-.^_`|~")) classes[static_cast<uint8_t>(c)] |= kTokenBit;
  return classes;
}
constexpr std::array<uint8_t, 256> kClasses = MakeClasses();

bool AllAre(uint8_t bit, std::string_view text) {
  uint8_t common = bit;
  for (char c : text) common &= kClasses[static_cast<uint8_t>(c)];
  return common != 0;
}

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

// Takes the part before the next `separator` off a list.
std::string_view NextItem(std::string_view* list, char separator) {
  const size_t end = list->find(separator);
  std::string_view item = list->substr(0, end);
  list->remove_prefix(end == std::string_view::npos ? list->size() : end + 1);
  return TrimSpaces(item);
}

Refusal ParseRequestLine(std::string_view line, RequestHead* head) {
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return {400, "the request line is not 'METHOD TARGET VERSION'"};
  }
  head->method = line.substr(0, first);
  head->target = line.substr(first + 1, last - first - 1);
  const std::string_view version = line.substr(last + 1);
  if (!IsToken(head->method)) return {400, "the method is not a token"};
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (version.size() != 8 || version.substr(0, 5) != "HTTP/" || !is_digit(version[5]) ||
      version[6] != '.' || !is_digit(version[7])) {
    return {400, "the version is not of the form HTTP/1.1"};
  }
  if (version[5] != '1') return {505, "only HTTP/1.1 and HTTP/1.0 are served"};
  head->minor_version = version[7] == '0' ? 0 : 1;
  if (head->target.empty() || !AllAre(kTargetBit, head->target)) {
    return {400, "the target is empty or has characters that are not allowed"};
  }
  std::string_view place = head->target;
  if (place[0] != '/' && place != "*") {
    // The absolute form, which clients use with proxies.
    const size_t host = place.find("://");
    if (host == std::string_view::npos || !(EqualIgnoringCase(place.substr(0, host), "http") ||
                                            EqualIgnoringCase(place.substr(0, host), "https"))) {
      return {400, "the target is neither a path nor an http address"};
    }
    const size_t path = place.find_first_of("/?", host + 3);
    place = path == std::string_view::npos ? std::string_view() : place.substr(path);
  } else if (place == "*" && head->method != "OPTIONS") {
    return {400, "the target * is for OPTIONS alone"};
  }
  const size_t mark = place.find('?');
  head->path = place.substr(0, mark);
  if (head->path.empty()) head->path = "/";
  if (mark != std::string_view::npos) head->query = place.substr(mark + 1);
  return {};
}

Refusal ParseContentLength(std::string_view value, RequestHead* head) {
  if (head->content_length) return {400, "there is more than one Content-Length"};
  if (value.empty()) return {400, "the Content-Length is empty"};
  uint64_t number = 0;
  for (char c : value) {
    if (c < '0' || c > '9') return {400, "the Content-Length is not a number"};
    const uint64_t digit = static_cast<uint64_t>(c - '0');
    if (number > (UINT64_MAX - digit) / 10) return {413, "the Content-Length is too large"};
    number = number * 10 + digit;
  }
  head->content_length = number;
  return {};
}

Refusal ParseConnection(std::string_view value, RequestHead* head, bool* says_close) {
  while (!value.empty()) {
    const std::string_view item = NextItem(&value, ',');
    if (EqualIgnoringCase(item, "close")) *says_close = true;
    if (EqualIgnoringCase(item, "keep-alive")) head->keep_alive = true;
  }
  return {};
}

Refusal ParseTransferEncoding(std::string_view value, RequestHead* head) {
  if (head->is_chunked) return {400, "there is more than one Transfer-Encoding"};
  if (head->minor_version == 0) return {400, "HTTP/1.0 has no Transfer-Encoding"};
  if (EqualIgnoringCase(value, "chunked")) {
    head->is_chunked = true;
    return {};
  }
  std::string_view last;
  while (!value.empty()) last = NextItem(&value, ',');
  if (!EqualIgnoringCase(last, "chunked")) return {400, "the last transfer coding is not chunked"};
  return {501, "the only transfer coding served is chunked"};
}

}  // namespace

bool EqualIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (Lower(a[i]) != Lower(b[i])) return false;
  }
  return true;
}

bool IsToken(std::string_view text) { return !text.empty() && AllAre(kTokenBit, text); }

bool IsFieldValue(std::string_view text) { return AllAre(kValueBit, text); }

std::string_view TrimSpaces(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::string_view> RequestHead::Find(std::string_view name) const {
  for (const HeaderView& header : headers) {
    if (EqualIgnoringCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

HeadScanner::Result HeadScanner::Refuse(int status, std::string_view reason) {
  refusal_ = {status, reason};
  return Result::kRefused;
}

HeadScanner::Result HeadScanner::Scan(std::string_view bytes, const HeadLimits& limits) {
  while (scanned_ < bytes.size()) {
    const char* found = static_cast<const char*>(
        __builtin_memchr(bytes.data() + scanned_, '\n', bytes.size() - scanned_));
    const bool has_line = found != nullptr;
    // A line that is not complete is as long as it is known to be.
    scanned_ = has_line ? static_cast<size_t>(found - bytes.data()) + 1 : bytes.size();
    const size_t length = scanned_ - line_begin_;
    if (num_lines_ == 0 && length > limits.max_request_line + 2) {
      return Refuse(414, "the request line is too long");
    }
    if (scanned_ > limits.max_head) return Refuse(431, "the head is too long");
    if (!has_line) return Result::kIncomplete;
    if (length < 2 || bytes[scanned_ - 2] != '\r') {
      return Refuse(400, "a line of the head does not end with CRLF");
    }
    line_begin_ = scanned_;
    if (length == 2) {
      if (num_lines_ > 0) return Result::kComplete;
      if (++num_skipped_ > 1) return Refuse(400, "there are empty lines before the request line");
      continue;
    }
    // The request line is no header.
    if (++num_lines_ > limits.max_headers + 1) return Refuse(431, "there are too many headers");
  }
  return Result::kIncomplete;
}

Refusal ParseHead(std::string_view text, const HeadLimits& limits, RequestHead* head) {
  *head = RequestHead();
  if (text.starts_with("\r\n")) text.remove_prefix(2);
  const size_t first_end = text.find("\r\n");
  if (first_end == std::string_view::npos) return {400, "the request line has no end"};
  const std::string_view line = text.substr(0, first_end);
  if (line.size() > limits.max_request_line) return {414, "the request line is too long"};
  if (Refusal refusal = ParseRequestLine(line, head)) return refusal;
  head->keep_alive = head->minor_version > 0;
  text.remove_prefix(first_end + 2);

  bool says_close = false;
  int num_hosts = 0;
  bool has_encoding = false;
  for (;;) {
    const size_t end = text.find("\r\n");
    if (end == std::string_view::npos) return {400, "the head has no end"};
    const std::string_view field = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (field.empty()) break;
    if (head->headers.size() == limits.max_headers) return {431, "there are too many headers"};
    if (field[0] == ' ' || field[0] == '\t') return {400, "a header is folded over lines"};
    const size_t colon = field.find(':');
    if (colon == std::string_view::npos) return {400, "a header has no colon"};
    const HeaderView header{field.substr(0, colon), TrimSpaces(field.substr(colon + 1))};
    if (!IsToken(header.name)) return {400, "the name of a header is not a token"};
    if (!IsFieldValue(header.value)) return {400, "a header has control characters"};
    head->headers.push_back(header);

    Refusal refusal;
    switch (header.name.size()) {
      case 4:
        if (EqualIgnoringCase(header.name, "host")) {
          ++num_hosts;
          if (!header.value.empty() && !AllAre(kTargetBit, header.value)) {
            return {400, "the Host has characters that are not allowed"};
          }
        }
        break;
      case 6:
        if (EqualIgnoringCase(header.name, "expect")) {
          if (!EqualIgnoringCase(header.value, "100-continue")) {
            return {417, "the only expectation met is 100-continue"};
          }
          head->expects_continue = head->minor_version > 0;
        }
        break;
      case 10:
        if (EqualIgnoringCase(header.name, "connection")) {
          refusal = ParseConnection(header.value, head, &says_close);
        }
        break;
      case 14:
        if (EqualIgnoringCase(header.name, "content-length")) {
          refusal = ParseContentLength(header.value, head);
        }
        break;
      case 17:
        if (EqualIgnoringCase(header.name, "transfer-encoding")) {
          has_encoding = true;
          refusal = ParseTransferEncoding(header.value, head);
        }
        break;
      default:
        break;
    }
    if (refusal) return refusal;
  }
  if (!text.empty()) return {400, "there is text after the end of the head"};
  if (says_close) head->keep_alive = false;
  if (has_encoding && head->content_length) {
    return {400, "there is both a Content-Length and a Transfer-Encoding"};
  }
  if (num_hosts > 1) return {400, "there is more than one Host"};
  if (num_hosts == 0 && head->minor_version > 0) return {400, "there is no Host"};
  return {};
}

}  // namespace tfrt::serve::http
