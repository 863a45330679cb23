// Server: HTTP/1.1 over TCP and TLS, on epoll. It serves bytes and knows no models.
//
// A few I/O threads read and parse requests; a request reaches the handler when its body is
// complete. Any thread answers, and its call writes the response, so that no thread waits for
// another. Each connection has at most one request in flight: pipelined ones wait in order.
// docs/design/0026-serving.md gives reasons and figures.
#ifndef TFRT_LIB_SERVE_HTTP_SERVER_H_
#define TFRT_LIB_SERVE_HTTP_SERVER_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lib/serve/http/message.h"
#include "tfrt/support/status.h"

namespace tfrt::serve::http {

class Connection;

// The right to answer one request. Move-only. Any thread may answer, once, also after the server
// has ended, which then has no effect. If it is destroyed unanswered, the client gets status 500.
class Responder {
 public:
  Responder() = default;  // of no request
  Responder(Responder&&) noexcept = default;
  Responder& operator=(Responder&& other) noexcept;
  ~Responder();

  // Writes the response, on this thread as far as the connection takes it at once, the rest on an
  // I/O thread. Later calls have no effect.
  void Respond(Response response);
  // Returns whether the client has closed its side of the connection. A response may still reach
  // clients that closed only their sending side. Thread-safe. False after Respond.
  bool is_gone() const;
  // Calls `callback` once when the client has gone before the answer, on an I/O thread. If it has
  // gone already, calls it at once on this thread. It must not block, and may run during Respond.
  // It is destroyed uncalled when the request is answered. A second callback replaces the first.
  void OnGone(std::function<void()> callback);

  explicit Responder(std::shared_ptr<Connection> connection);

 private:
  std::shared_ptr<Connection> connection_;  // null after the answer
};

// Takes a request. All I/O threads call it, at the same time. It must not block, and not throw.
using Handler = std::function<void(Request, Responder)>;

// Facts about one answered request, for logs and metrics. The views are valid during the call.
struct Access {
  std::string_view method, target, id, peer;
  std::string_view trace_parent;  // value of the header, unchecked; or empty
  int status = 0;
  uint64_t received_bytes = 0, sent_bytes = 0;  // of the bodies
  std::chrono::nanoseconds duration{};          // from the complete head to the answer
  bool client_is_gone = false;
};

struct TlsOptions {
  std::string certificate_file;  // PEM, the chain included; empty: no TLS
  std::string key_file;          // PEM
  std::string client_ca_file;    // PEM; if given, clients must have a certificate of these
};

struct ServerOptions {
  std::string address = "0.0.0.0";  // numeric, IPv4 or IPv6
  uint16_t port = 8000;             // 0: the system chooses
  int io_threads = 1;
  TlsOptions tls;

  HeadLimits head_limits;
  size_t max_body_bytes = size_t{256} << 20;        // of one request; more: 413
  size_t max_total_body_bytes = size_t{1} << 30;    // of all requests in memory; more: 503
  size_t max_pooled_body_bytes = size_t{64} << 20;  // freed bodies that are kept for reuse
  size_t max_connections = 16384;                   // more: 503, and the connection is closed

  std::chrono::milliseconds idle_timeout{75'000};    // between requests; then it is closed
  std::chrono::milliseconds header_timeout{10'000};  // from the first byte of a head; then 408
  // A body, and a response, may take this long and a second for each `min_bytes_per_second`.
  std::chrono::milliseconds body_timeout{30'000};   // then 408
  std::chrono::milliseconds write_timeout{30'000};  // then it is closed
  uint64_t min_bytes_per_second = 1024;

  // Name of a header that tells how many bytes of a body precede its data. The data begins at a
  // 64-byte boundary then, instead of the body. Empty: none.
  std::string prefix_header;

  // Makes the answers to refused requests, on I/O threads. `reason` is English, in lower case.
  // Default: {"error":"REASON"} as JSON.
  std::function<Response(int status, std::string_view reason)> error_response;
  // Is called after each answer to a request that reached the handler, and for each refused one, on
  // the thread that answered. It must not block, and is not called any more once the server's
  // destructor has returned. Default: none.
  std::function<void(const Access&)> on_answered;
};

// Figures of a server since its start.
struct ServerCounts {
  uint64_t open_connections = 0, accepted_connections = 0, refused_connections = 0;
  uint64_t requests = 0, refused_requests = 0;
  uint64_t body_bytes_in_use = 0;  // of requests in memory
  uint64_t failed_handshakes = 0, paused_accepts = 0;
};

// Thread-safe.
class Server {
 public:
  // Listens and starts the threads. Fails with InvalidArgument for options that make no sense and
  // for certificates that cannot be read. Fails with Unavailable if the address cannot be bound or
  // no thread started, with Unimplemented for TLS in a build without OpenSSL.
  static StatusOr<std::unique_ptr<Server>> Start(ServerOptions options, Handler handler);
  // Ends the threads and closes all connections. Requests in flight count as gone. Their
  // Responders stay valid. Must not be called by a function of the options, or by the handler.
  ~Server();

  uint16_t port() const;
  ServerCounts counts() const;
  // Closes the listening socket and idle connections. Requests in flight are answered, and their
  // connections then closed. Does not wait.
  void StopAccepting();
  // Calls StopAccepting, then waits for the last connection to close. Returns false if some are
  // still open after `timeout`. Must not be called on an I/O thread.
  bool Drain(std::chrono::milliseconds timeout);
  // Reads the files of the TLS options again, for new connections. On an error the old ones stay.
  Status ReloadCertificates();

 private:
  struct Impl;
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_SERVER_H_
