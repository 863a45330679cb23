// TLS by OpenSSL, on sockets that do not block.
#ifndef TFRT_LIB_SERVE_HTTP_TLS_H_
#define TFRT_LIB_SERVE_HTTP_TLS_H_

#include <sys/types.h>

#include <cstddef>
#include <memory>

#include "lib/serve/http/server.h"
#include "tfrt/support/status.h"

namespace tfrt::serve::http {

// Results of reads and writes besides numbers of bytes; 0 is the orderly end of the input.
constexpr ssize_t kIoAgain = -1;   // nothing now: an event follows
constexpr ssize_t kIoFailed = -2;  // the connection is lost

// One connection's session. Not thread-safe. Does not own the socket.
class TlsSession {
 public:
  virtual ~TlsSession() = default;
  // Goes on with the handshake. Returns 1 once it is complete.
  virtual ssize_t Handshake() = 0;
  virtual ssize_t Read(void* data, size_t size) = 0;
  // After kIoAgain the same bytes must be written again; they may have moved.
  virtual ssize_t Write(const void* data, size_t size) = 0;
  // Tells the client that no more bytes follow.
  virtual void Finish() = 0;
};

// Certificates and settings. Thread-safe.
class TlsContext {
 public:
  static StatusOr<std::shared_ptr<TlsContext>> Create(const TlsOptions& options);
  virtual ~TlsContext() = default;
  // Returns null without memory.
  virtual std::unique_ptr<TlsSession> NewSession(int fd) = 0;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_TLS_H_
