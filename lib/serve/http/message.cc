#include "lib/serve/http/message.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <atomic>
#include <charconv>
#include <cstring>

#include "lib/serve/http/request_parts.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

uint64_t RandomSeed() {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed)) {
    seed = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  }
  return seed;
}

// Ids differ within a process, and very probably between processes. They are no secrets.
uint64_t NextId() {
  static const uint64_t seed = RandomSeed();
  static std::atomic<uint64_t> count{0};
  // relaxed: only the numbers must differ. The mixing is splitmix64's, which loses none.
  uint64_t x = seed + 0x9e3779b97f4a7c15u * (count.fetch_add(1, std::memory_order_relaxed) + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

bool IsRequestId(std::string_view text) {
  if (text.empty() || text.size() > 128) return false;
  for (char c : text) {
    const bool is_good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                         (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-';
    if (!is_good) return false;
  }
  return true;
}

}  // namespace

std::string RequestId(std::optional<std::string_view> given) {
  if (given && IsRequestId(*given)) return std::string(*given);
  std::string id(16, '0');
  uint64_t number = NextId();
  for (char& c : id) {
    c = "0123456789abcdef"[number & 15];
    number >>= 4;
  }
  return id;
}

size_t BodyBegin(const RequestHead& head, std::string_view name) {
  if (name.empty()) return 0;
  const std::string_view text = head.Find(name).value_or("");
  uint64_t size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || end != text.data() + text.size()) return 0;
  return -size % BodyBlock::kAlignment;
}

std::string PeerText(const PeerAddress& peer) {
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.any.sa_family == AF_INET6) {
    inet_ntop(AF_INET6, &peer.v6.sin6_addr, text, sizeof(text));
    return StrCat('[', text, "]:", ntohs(peer.v6.sin6_port));
  }
  inet_ntop(AF_INET, &peer.v4.sin_addr, text, sizeof(text));
  return StrCat(text, ':', ntohs(peer.v4.sin_port));
}

Request::Request() : Request(std::make_unique<Parts>()) {}
Request::Request(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;
Request::~Request() = default;

std::string_view Request::method() const { return parts_->head.method; }
std::string_view Request::target() const { return parts_->head.target; }
std::string_view Request::path() const { return parts_->head.path; }
std::string_view Request::query() const { return parts_->head.query; }
std::optional<std::string_view> Request::Find(std::string_view name) const {
  return parts_->head.Find(name);
}
std::span<const HeaderView> Request::headers() const { return parts_->head.headers; }
std::span<const std::byte> Request::body() const {
  if (!parts_->body) return {};
  return {parts_->body->data() + parts_->body_begin, parts_->body_size};
}
std::shared_ptr<const void> Request::shared_body() const { return parts_->body; }
std::chrono::steady_clock::time_point Request::received() const { return parts_->received; }
std::string Request::peer() const { return PeerText(parts_->peer); }
bool Request::is_secure() const { return parts_->is_secure; }
std::string_view Request::id() const { return parts_->id; }

Response TextResponse(int status, std::string_view content_type, std::string text) {
  Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", content_type);
  response.body.push_back({.owned = std::move(text), .bytes = {}, .owner = nullptr});
  return response;
}

std::optional<std::string> DecodePercent(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      decoded.push_back(text[i]);
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const int high = HexValue(text[i + 1]);
    const int low = HexValue(text[i + 2]);
    if (high < 0 || low < 0 || high + low == 0) return std::nullopt;
    decoded.push_back(static_cast<char>(high * 16 + low));
    i += 2;
  }
  return decoded;
}

bool EqualInConstantTime(std::string_view given, std::string_view secret) {
  // The loop's length is that of `given`, which its sender has chosen. volatile: the compiler may
  // not leave it early.
  volatile uint8_t difference = given.size() == secret.size() ? 0 : 1;
  for (size_t i = 0; i < given.size(); ++i) {
    const char other = secret.empty() ? '\0' : secret[i % secret.size()];
    difference = difference | static_cast<uint8_t>(given[i] ^ other);
  }
  return difference == 0;
}

bool HasBearerToken(std::optional<std::string_view> authorization, std::string_view token) {
  constexpr size_t kPrefix = 7;
  if (!authorization || authorization->size() < kPrefix || token.empty() ||
      !EqualIgnoringCase(authorization->substr(0, kPrefix), "Bearer ")) {
    return false;
  }
  return EqualInConstantTime(TrimSpaces(authorization->substr(kPrefix)), token);
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 499:
      return "Client Closed Request";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

}  // namespace tfrt::serve::http
