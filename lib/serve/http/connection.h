// Connection: one client's socket. Internal to the server.
#ifndef TFRT_LIB_SERVE_HTTP_CONNECTION_H_
#define TFRT_LIB_SERVE_HTTP_CONNECTION_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lib/serve/http/chunk_decoder.h"
#include "lib/serve/http/event_loop.h"
#include "lib/serve/http/head_parser.h"
#include "lib/serve/http/request_parts.h"
#include "lib/serve/http/server.h"
#include "lib/serve/http/tls.h"

namespace tfrt::serve::http {

// A response that is being written.
struct Outgoing {
  std::string head;
  std::vector<Piece> body;
  size_t next = 0;       // 0 is the head, 1 the first piece
  size_t offset = 0;     // bytes of that which are written
  uint64_t written = 0;  // bytes altogether
};

// Facts for ServerOptions::on_answered, kept while the handler has the Request.
struct AccessFacts {
  std::string method, target, id, trace_parent;
  uint64_t received_bytes = 0;
  std::chrono::steady_clock::time_point received;
};

// Its phase says whose turn it is. In kHandshake, kReading and kLingering only the I/O thread uses
// the socket. In kRunning and kWriting whoever holds the mutex does. The phase changes under the
// mutex, so that each side sees what the other did before.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  // Takes the socket.
  Connection(std::shared_ptr<EventLoop> loop, const NewSocket& socket,
             std::unique_ptr<TlsSession> tls);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // For the I/O thread.
  int fd() const { return fd_; }
  void OnEvent(uint32_t events);
  // Goes on as far as the socket allows, for one turn.
  void Process();
  void HandshakeStep();
  // Closes what has waited too long, and idle ones while the server drains.
  void OnTick(std::chrono::steady_clock::time_point now);
  // Answers a connection beyond the limit.
  void RefuseConnection();
  // Closes the socket. Whoever waits for an answer is told that the client has gone.
  void Close();

  // For any thread, but only for the one that holds the Responder.
  void Answer(Response response);
  bool is_gone();
  void OnGone(std::function<void()> callback);

  size_t index = 0;  // in the loop's table

 private:
  enum class Phase : uint8_t {
    kHandshake,
    kReading,    // a request, or waiting for one
    kRunning,    // the handler has a request
    kWriting,    // a response that the socket has not taken yet
    kLingering,  // no more responses; what still arrives is read, so that the last one is not lost
    kBroken,     // to be closed by the I/O thread
    kClosed,
  };
  enum class Step : uint8_t { kAgain, kBlocked, kClose };

  // Reading, in connection_read.cc; all on the I/O thread.
  Step ReadOnce();
  Step ReadHead();
  Step ReadBody();
  Step ReadChunks();
  Step TakeHead(std::string_view bytes);
  Step BeginBody(std::string_view rest);
  Step TakeChunks(std::string_view bytes);
  bool AppendToBody(std::string_view data);
  Step Dispatch();
  Step Refuse(Refusal refusal);
  Step Linger();
  void Keep(std::string_view rest);
  bool SendContinue();
  // Both return bytes, 0 at the end of the input, or a kIo code.
  ssize_t Receive(void* data, size_t size);
  ssize_t ReceiveBody(std::byte* data, size_t size, size_t* num_extra);

  // Writing, in connection_write.cc.
  void Send(Response response, bool keep_alive, bool is_refusal);
  // Writes as much as the socket takes. When all is written, or nothing can be, `finished` gets the
  // response, to be destroyed without the lock. Needs the lock.
  void FlushLocked(Outgoing* finished);
  ssize_t WriteSome();
  ssize_t WritePlain();
  ssize_t WriteTls();
  bool NeedsLoopLocked() const;

  const std::shared_ptr<EventLoop> loop_;
  int fd_;  // -1 once it is closed
  const PeerAddress peer_;
  const std::unique_ptr<TlsSession> tls_;  // null without TLS

  // For the I/O thread alone.
  std::string pending_;  // bytes that were read and not used yet
  HeadScanner scanner_;
  std::unique_ptr<Request::Parts> request_;  // whose body is being read
  ChunkDecoder chunks_;
  bool is_readable_ = true;      // the socket may have bytes
  bool is_half_closed_ = false;  // the client sends no more
  bool must_linger_ = false;     // the client may still be sending
  int64_t turn_bytes_ = 0;       // that this turn may still read

  // Set before the phase becomes kRunning or a refusal is sent.
  bool wants_keep_alive_ = false;
  bool is_head_ = false;  // the method was HEAD
  bool is_secure_ = false;

  std::mutex mutex_;  // of the rest
  Phase phase_;
  bool is_processing_ = false;  // Process looks at the phase again before it returns
  bool has_input_ = false;      // the I/O thread has work once the response is written
  bool is_gone_ = false;
  bool keep_alive_ = false;                      // after the response
  std::chrono::steady_clock::time_point since_;  // begin of the phase, of the head or of the body
  std::function<void()> on_gone_;
  Outgoing outgoing_;
  std::unique_ptr<AccessFacts> facts_;  // null without a function that takes them
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_CONNECTION_H_
