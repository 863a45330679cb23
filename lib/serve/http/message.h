// Requests and responses of the HTTP server.
#ifndef TFRT_LIB_SERVE_HTTP_MESSAGE_H_
#define TFRT_LIB_SERVE_HTTP_MESSAGE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lib/serve/http/head_parser.h"

namespace tfrt::serve::http {

// One request with its whole body. Owns its bytes: all views are valid as long as the Request
// lives, and stay so when it is moved. Not thread-safe, but may be passed to another thread.
class Request {
 public:
  // Makes a request without text, for variables that are assigned later.
  Request();
  Request(Request&&) noexcept;
  Request& operator=(Request&&) noexcept;
  ~Request();

  std::string_view method() const;
  // Returns the target as it was sent, the path before '?' and the query after it. Nothing is
  // decoded: see DecodePercent.
  std::string_view target() const;
  std::string_view path() const;
  std::string_view query() const;
  // Returns the first value of a header field, or none. ASCII case does not matter.
  std::optional<std::string_view> Find(std::string_view name) const;
  std::span<const HeaderView> headers() const;

  // Returns the body. Null without one. It is 64-byte aligned, unless ServerOptions::prefix_header
  // tells that its data, which is aligned then, begins later.
  std::span<const std::byte> body() const;
  // Returns an owner of body(), so that tensors may use the bytes after the Request has ended. The
  // memory returns to the server's pool with the last owner, also after the server has ended.
  std::shared_ptr<const void> shared_body() const;

  // Returns the time at which the head was complete.
  std::chrono::steady_clock::time_point received() const;
  // Returns the client's address and port, such as "127.0.0.1:50412" or "[::1]:50412".
  std::string peer() const;
  // Returns whether the request came over TLS.
  bool is_secure() const;
  // Returns the value of X-Request-Id if it has at most 128 of [0-9A-Za-z._-], otherwise 16 random
  // hexadecimal digits.
  std::string_view id() const;

  // Parts that the server fills in.
  struct Parts;
  explicit Request(std::unique_ptr<Parts> parts);

 private:
  std::unique_ptr<Parts> parts_;
};

// Bytes of a response: a text that is owned, or else bytes that are borrowed.
struct Piece {
  std::string owned;                 // used if it is not empty
  std::span<const std::byte> bytes;  // otherwise
  std::shared_ptr<const void>
      owner;  // keeps `bytes` alive; null if they live longer than the server
};

// One response. The server adds Content-Length, Date and, where needed, Connection. The pieces are
// written by scatter-gather calls, without copies unless the connection uses TLS.
struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::vector<Piece> body;
};

// Returns a response with a text as its body.
Response TextResponse(int status, std::string_view content_type, std::string text);
// Returns the phrase for a status, such as "Not Found"; "Unknown" for other numbers.
std::string_view ReasonPhrase(int status);

// Decodes %XX of a path's part. Returns none for malformed escapes and for %00.
std::optional<std::string> DecodePercent(std::string_view text);
// Compares a secret in a time that depends on the length of `given` alone.
bool EqualInConstantTime(std::string_view given, std::string_view secret);
// Returns whether the value of an Authorization header is "Bearer " and this token, compared in
// constant time. False without a header.
bool HasBearerToken(std::optional<std::string_view> authorization, std::string_view token);
// Returns the id of a request that brings this one; a new one if it brings none, or a malformed
// one.
std::string RequestId(std::optional<std::string_view> given);

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_MESSAGE_H_
