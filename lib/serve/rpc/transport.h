// Calls of gRPC as bytes, between a server and the module that transports them. The module,
// tfrt_grpc.so, is the only code that sees gRPC's library. It links nothing of tfrt, so that this
// header has classes of virtual functions and of the standard library only.
#ifndef TFRT_LIB_SERVE_RPC_TRANSPORT_H_
#define TFRT_LIB_SERVE_RPC_TRANSPORT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::serve::rpc {

// Bytes that lie in one place as long as `owner` lives. `owner` may be null for no bytes.
struct OwnedBytes {
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

// The bytes of a received message, in pieces as they came from the network. None is copied.
struct ReceivedMessage {
  std::vector<std::span<const std::byte>> pieces;
  std::shared_ptr<const void> owner;  // of all pieces
  size_t size_bytes = 0;
};

// The bytes of a message to send, in order. They are not copied.
using SentMessage = std::vector<OwnedBytes>;

// How a call ends. The numbers of codes are gRPC's, which are those of tfrt::StatusCode.
struct CallStatus {
  int code = 0;
  std::string message;
  // Tells clients when to try again, as the trailing metadata grpc-retry-pushback-ms; 0: nothing.
  std::chrono::milliseconds retry_after{0};
  // Names the request in the server's log, as the trailing metadata x-request-id; empty: nothing.
  std::string request_id = {};
};

// One call. Destroyed without an answer, it ends with the code Internal. Any thread may answer it.
class Call {
 public:
  virtual ~Call() = default;
  // The values of the client's metadata of this lower-case name; the first if there are several.
  virtual std::optional<std::string_view> FindMetadata(std::string_view name) const = 0;
  // When the client stops waiting.
  virtual std::optional<std::chrono::steady_clock::time_point> deadline() const = 0;
  virtual std::string peer() const = 0;
  // Calls `action` once if the client goes away or its deadline passes before the call has ended;
  // at once if that has happened. Replaces an earlier action. It runs on any thread, must not
  // block, and may run while Finish is called.
  virtual void OnCancel(std::function<void()> action) = 0;
};

// A call of one message that is answered by one.
class UnaryCall : public Call {
 public:
  // Ends the call. Called once, and no other function after it. `message` is sent if the code is 0.
  virtual void Finish(CallStatus status, SentMessage message) = 0;
};

// A call of any number of messages in both directions.
class StreamCall : public Call {
 public:
  // Sends the answer to one message, after those before it. While TransportOptions::max_waiting
  // messages are unanswered, or their answers wait for the client to read, no more are read.
  // Returns false, and drops the answer, after the call has been cancelled.
  virtual bool Write(SentMessage message) = 0;
  // Ends the call after all messages have been sent. Called once, and no other function after it.
  virtual void Finish(CallStatus status) = 0;
};

// Receives the messages of one stream. Called by one thread at a time. Must not block.
class StreamReader {
 public:
  virtual ~StreamReader() = default;
  virtual void OnMessage(ReceivedMessage message) = 0;
  // The client sends no more. After a cancellation, too.
  virtual void OnEnd() = 0;
};

// Answers calls. Thread-safe. Its functions are called on gRPC's threads, and must not block.
class CallHandler {
 public:
  virtual ~CallHandler() = default;
  // `method` is an index into ServerOptions::methods.
  virtual void HandleUnary(size_t method, ReceivedMessage message,
                           std::unique_ptr<UnaryCall> call) = 0;
  // Finish must be called in any case. The reader is destroyed when the stream is done.
  virtual std::unique_ptr<StreamReader> HandleStream(size_t method,
                                                     std::shared_ptr<StreamCall> call) = 0;
};

struct Method {
  std::string path;  // "/package.Service/Method"
  bool is_stream = false;
};

struct TransportOptions {
  std::string address = "0.0.0.0";  // numeric
  uint16_t port = 8001;             // 0: any free one
  std::vector<Method> methods;
  size_t max_message_bytes = size_t{1} << 30;
  size_t max_memory_bytes = size_t{2} << 30;  // of gRPC's own buffers, for all connections
  size_t max_connections = 16384;             // more are closed at once
  int max_concurrent_calls = 1024;            // of one connection; more wait at the client
  size_t max_waiting = 16;                    // messages of one stream
  std::chrono::milliseconds idle_timeout{std::chrono::hours(1)};  // of connections without calls
  // How long a message may wait for its client to read it, and a second more for each MB of it.
  // Then the call is cancelled.
  std::chrono::milliseconds write_timeout{30'000};
  // TLS if there is a certificate: PEM texts. With a `client_ca` clients need a certificate of it.
  std::string certificate, key, client_ca;
};

// A server that listens. Destroyed, it ends all calls at once.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual uint16_t port() const = 0;
  // Takes no new calls, and waits for those in flight. Returns false if some were ended because
  // they were not answered in time. Called once.
  virtual bool Drain(std::chrono::milliseconds timeout) = 0;
};

// The entry of the module. Returns null and sets `error` if the server cannot listen. The handler
// must outlive the transport. `version` must be kTransportVersion.
inline constexpr int kTransportVersion = 4;
using StartTransport = Transport* (*)(int version, const TransportOptions* options,
                                      CallHandler* handler, std::string* error);
inline constexpr char kStartTransportName[] = "tfrt_start_grpc_transport";

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_TRANSPORT_H_
