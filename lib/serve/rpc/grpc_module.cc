// The module that transports calls by gRPC. Messages stay bytes: what they mean is the server's.

#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/server_callback_handlers.h>
#include <grpcpp/impl/rpc_service_method.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "lib/serve/rpc/listener.h"
#include "lib/serve/rpc/slow_clients.h"
#include "lib/serve/rpc/transport.h"

namespace tfrt::serve::rpc {
namespace {

using ::grpc::ByteBuffer;
using ::grpc::CallbackServerContext;
using ::grpc::Slice;

ReceivedMessage Receive(const ByteBuffer& buffer) {
  auto slices = std::make_shared<std::vector<Slice>>();
  // Keeps the memory that the network's bytes were read into.
  if (!buffer.Dump(slices.get()).ok()) slices->clear();
  ReceivedMessage message;
  message.pieces.reserve(slices->size());
  for (const Slice& slice : *slices) {
    message.pieces.emplace_back(reinterpret_cast<const std::byte*>(slice.begin()), slice.size());
    message.size_bytes += slice.size();
  }
  message.owner = std::move(slices);
  return message;
}

ByteBuffer Send(SentMessage message) {
  constexpr size_t kCopied = 1024;  // cheaper to copy than to keep
  std::vector<Slice> slices;
  slices.reserve(message.size());
  for (OwnedBytes& part : message) {
    if (part.bytes.size() <= kCopied || !part.owner) {
      slices.emplace_back(part.bytes.data(), part.bytes.size());
      continue;
    }
    auto* owner = new std::shared_ptr<const void>(std::move(part.owner));
    slices.emplace_back(
        const_cast<std::byte*>(part.bytes.data()), part.bytes.size(),
        [](void* owner) { delete static_cast<std::shared_ptr<const void>*>(owner); }, owner);
  }
  return ByteBuffer(slices.data(), slices.size());
}

::grpc::Status ToStatus(const CallStatus& status, CallbackServerContext* context) {
  if (status.retry_after.count() > 0) {
    context->AddTrailingMetadata("grpc-retry-pushback-ms",
                                 std::to_string(status.retry_after.count()));
  }
  if (!status.request_id.empty()) {
    context->AddTrailingMetadata("x-request-id", status.request_id);
  }
  if (status.code == 0) return ::grpc::Status::OK;
  return {static_cast<::grpc::StatusCode>(status.code), status.message};
}

std::optional<std::string_view> FindValue(const CallbackServerContext& context,
                                          std::string_view name) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find({name.data(), name.size()});
  if (found == metadata.end()) return std::nullopt;
  return std::string_view(found->second.data(), found->second.size());
}

std::optional<std::chrono::steady_clock::time_point> DeadlineOf(
    const CallbackServerContext& context) {
  const std::chrono::system_clock::time_point deadline = context.deadline();
  const auto left = deadline - std::chrono::system_clock::now();
  if (left > std::chrono::hours(24 * 365)) return std::nullopt;  // gRPC's infinite one
  return std::chrono::steady_clock::now() + left;
}

// Holds the action for a client that goes away.
class CancelAction {
 public:
  void Set(std::function<void()> action) {
    {
      std::lock_guard lock(mutex_);
      if (!is_cancelled_) {
        std::swap(action_, action);
        action = nullptr;  // the earlier one
      }
    }
    if (action) action();
  }
  void Cancel() {
    std::function<void()> action;
    {
      std::lock_guard lock(mutex_);
      is_cancelled_ = true;
      std::swap(action, action_);
    }
    if (action) action();
  }
  // No action is started after this.
  void Drop() {
    std::function<void()> action;
    std::lock_guard lock(mutex_);
    std::swap(action, action_);
  }

 private:
  std::mutex mutex_;
  bool is_cancelled_ = false;
  std::function<void()> action_;
};

// How long clients may take to read, and who looks at that; one for all calls.
struct Patience {
  std::chrono::milliseconds LimitOf(const ByteBuffer& message) const {
    return write_timeout + std::chrono::milliseconds(message.Length() / 1000);
  }

  const std::chrono::milliseconds write_timeout;
  SlowClients slow_clients;
};

// gRPC's side of a call of one message. Lives until gRPC is done with it.
class UnaryReactor final : public ::grpc::ServerUnaryReactor, public WatchedCall {
 public:
  UnaryReactor(CallbackServerContext* context, ByteBuffer* response, Patience* patience)
      : context_(context), response_(response), patience_(patience) {}
  CallbackServerContext* context() const { return context_; }
  CancelAction& cancel() { return cancel_; }
  void Answer(const CallStatus& status, SentMessage message) {
    cancel_.Drop();
    if (status.code == 0) *response_ = Send(std::move(message));
    // A small one waits in gRPC's buffers.
    is_watched_ = response_->Length() >= kWatchedBytes;
    if (is_watched_) {
      patience_->slow_clients.Join(this);
      BeginSending(patience_->LimitOf(*response_));
    }
    Finish(ToStatus(status, context_));  // which may destroy this
  }

 private:
  static constexpr size_t kWatchedBytes = 4096;

  void OnCancel() override { cancel_.Cancel(); }
  void OnDone() override {
    if (is_watched_) patience_->slow_clients.Leave(this);
    delete this;
  }
  void Cancel() override { context_->TryCancel(); }

  CallbackServerContext* const context_;
  ByteBuffer* const response_;
  Patience* const patience_;
  bool is_watched_ = false;
  CancelAction cancel_;
};

class GrpcUnaryCall final : public UnaryCall {
 public:
  explicit GrpcUnaryCall(UnaryReactor* reactor) : reactor_(reactor) {}
  ~GrpcUnaryCall() override {
    if (reactor_) reactor_->Answer({.code = 13, .message = "the call was not answered"}, {});
  }
  std::optional<std::string_view> FindMetadata(std::string_view name) const override {
    return FindValue(*reactor_->context(), name);
  }
  std::optional<std::chrono::steady_clock::time_point> deadline() const override {
    return DeadlineOf(*reactor_->context());
  }
  std::string peer() const override { return reactor_->context()->peer(); }
  void OnCancel(std::function<void()> action) override {
    reactor_->cancel().Set(std::move(action));
  }
  void Finish(CallStatus status, SentMessage message) override {
    std::exchange(reactor_, nullptr)->Answer(status, std::move(message));
  }

 private:
  UnaryReactor* reactor_;
};

// gRPC's side of a stream, and the server's. The former keeps it alive until it is done.
class StreamReactor final : public ::grpc::ServerBidiReactor<ByteBuffer, ByteBuffer>,
                            public StreamCall,
                            public WatchedCall {
 public:
  StreamReactor(CallbackServerContext* context, size_t max_waiting, Patience* patience)
      : context_(context), max_waiting_(max_waiting), patience_(patience) {
    patience_->slow_clients.Join(this);
  }

  void Start(std::shared_ptr<StreamReactor> self, std::unique_ptr<StreamReader> reader) {
    self_ = std::move(self);
    reader_ = std::move(reader);
    StartRead(&received_);
  }

  std::optional<std::string_view> FindMetadata(std::string_view name) const override {
    return FindValue(*context_, name);
  }
  std::optional<std::chrono::steady_clock::time_point> deadline() const override {
    return DeadlineOf(*context_);
  }
  std::string peer() const override { return context_->peer(); }
  void OnCancel(std::function<void()> action) override { cancel_.Set(std::move(action)); }

  bool Write(SentMessage message) override {
    ByteBuffer buffer = Send(std::move(message));
    std::lock_guard lock(mutex_);
    if (is_cancelled_) {
      if (num_unanswered_ > 0) --num_unanswered_;
      return false;
    }
    sent_.push_back(std::move(buffer));
    if (sent_.size() == 1) WriteFirst();
    return true;
  }

  void Finish(CallStatus status) override {
    cancel_.Drop();
    ::grpc::Status made = ToStatus(status, context_);
    {
      std::lock_guard lock(mutex_);
      if (!sent_.empty()) {
        end_ = std::move(made);
        return;
      }
    }
    ServerBidiReactor::Finish(std::move(made));
  }

 private:
  void OnReadDone(bool is_ok) override {
    if (!is_ok) return reader_->OnEnd();
    ReceivedMessage message = Receive(received_);
    received_.Clear();
    {
      std::lock_guard lock(mutex_);
      ++num_unanswered_;
    }
    reader_->OnMessage(std::move(message));
    std::lock_guard lock(mutex_);
    is_reading_ = false;
    ReadMore();
  }
  void OnWriteDone(bool is_ok) override {
    std::optional<::grpc::Status> end;
    {
      std::lock_guard lock(mutex_);
      sent_.pop_front();
      if (num_unanswered_ > 0) --num_unanswered_;  // a message may get several answers
      if (!is_ok) is_cancelled_ = true;
      if (is_cancelled_) sent_.clear();
      EndSending();
      if (!sent_.empty()) {
        WriteFirst();
      } else {
        std::swap(end, end_);
      }
      if (!end) ReadMore();
    }
    if (end) ServerBidiReactor::Finish(std::move(*end));
  }
  void OnCancel() override {
    {
      std::lock_guard lock(mutex_);
      is_cancelled_ = true;
      // No answer may come that would begin it.
      ReadMore();
    }
    cancel_.Cancel();
  }
  void OnDone() override {
    patience_->slow_clients.Leave(this);
    reader_.reset();
    std::shared_ptr<StreamReactor> last = std::move(self_);
  }
  void Cancel() override { context_->TryCancel(); }
  // With the mutex locked.
  void WriteFirst() {
    BeginSending(patience_->LimitOf(sent_.front()));
    StartWrite(&sent_.front());
  }
  // With the mutex locked. After a cancellation the read fails at once, which ends the stream.
  void ReadMore() {
    if (is_reading_ || (num_unanswered_ >= max_waiting_ && !is_cancelled_)) return;
    is_reading_ = true;
    StartRead(&received_);
  }

  CallbackServerContext* const context_;
  const size_t max_waiting_;
  Patience* const patience_;
  std::shared_ptr<StreamReactor> self_;
  std::unique_ptr<StreamReader> reader_;
  CancelAction cancel_;
  ByteBuffer received_;
  std::mutex mutex_;
  bool is_reading_ = true;
  bool is_cancelled_ = false;
  size_t num_unanswered_ = 0;
  std::deque<ByteBuffer> sent_;  // the first is being written
  std::optional<::grpc::Status> end_;
};

// The methods of the options, as bytes: what generated code does for services of raw messages.
class BytesService final : public ::grpc::Service {
 public:
  BytesService(const TransportOptions& options, CallHandler* handler, Patience* patience) {
    for (size_t i = 0; i < options.methods.size(); ++i) {
      const Method& method = options.methods[i];
      using ::grpc::internal::RpcMethod;
      AddMethod(new ::grpc::internal::RpcServiceMethod(
          method.path.c_str(), method.is_stream ? RpcMethod::BIDI_STREAMING : RpcMethod::NORMAL_RPC,
          nullptr));
      if (method.is_stream) {
        const size_t max_waiting = options.max_waiting;
        MarkMethodRawCallback(
            static_cast<int>(i),
            new ::grpc::internal::CallbackBidiHandler<ByteBuffer, ByteBuffer>(
                [handler, i, max_waiting, patience](CallbackServerContext* context) {
                  auto reactor = std::make_shared<StreamReactor>(context, max_waiting, patience);
                  std::unique_ptr<StreamReader> reader = handler->HandleStream(i, reactor);
                  StreamReactor* started = reactor.get();
                  started->Start(std::move(reactor), std::move(reader));
                  return started;
                }));
      } else {
        MarkMethodRawCallback(
            static_cast<int>(i),
            new ::grpc::internal::CallbackUnaryHandler<ByteBuffer, ByteBuffer>(
                [handler, i, patience](CallbackServerContext* context, const ByteBuffer* request,
                                       ByteBuffer* response) {
                  auto* reactor = new UnaryReactor(context, response, patience);
                  handler->HandleUnary(i, Receive(*request),
                                       std::make_unique<GrpcUnaryCall>(reactor));
                  return reactor;
                }));
      }
    }
  }
};

class GrpcTransport final : public Transport {
 public:
  GrpcTransport(const TransportOptions& options, CallHandler* handler)
      : patience_{.write_timeout = options.write_timeout}, service_(options, handler, &patience_) {}
  ~GrpcTransport() override {
    if (listener_) listener_->Stop();
    if (server_) server_->Shutdown(std::chrono::system_clock::now());
  }

  bool Listen(const TransportOptions& options, std::string* error) {
    listener_ = Listener::Listen(options.address, options.port, options.max_connections, error);
    if (!listener_) return false;
    ::grpc::ServerBuilder builder;
    using Type = ::grpc::ServerBuilder::experimental_type::ExternalConnectionType;
    acceptor_ =
        builder.experimental().AddExternalConnectionAcceptor(Type::FROM_FD, Credentials(options));
    builder.RegisterService(&service_);
    builder.SetMaxReceiveMessageSize(Clamped(options.max_message_bytes));
    builder.SetMaxSendMessageSize(-1);
    builder.SetResourceQuota(::grpc::ResourceQuota("tfrt").Resize(options.max_memory_bytes));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, options.max_concurrent_calls);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                               Clamped(static_cast<size_t>(options.idle_timeout.count())));
    // Finds clients whose machines have gone, and lets clients look for this one.
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
    builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, 10'000);
    server_ = builder.BuildAndStart();
    if (!server_) {
      *error = "gRPC does not start with these certificates";
      return false;
    }
    listener_->Start([acceptor = acceptor_.get()](int descriptor) {
      ::grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
      connection.fd = descriptor;
      acceptor->HandleNewConnection(&connection);
    });
    return true;
  }
  uint16_t port() const override { return listener_->port(); }

  bool Drain(std::chrono::milliseconds timeout) override {
    const auto end = std::chrono::system_clock::now() + timeout;
    listener_->Stop();
    server_->Shutdown(end);  // returns when all calls are done, or have been ended
    const bool in_time = std::chrono::system_clock::now() < end;
    server_.reset();
    return in_time;
  }

 private:
  static int Clamped(size_t size) { return static_cast<int>(std::min(size, size_t{INT32_MAX})); }
  static std::shared_ptr<::grpc::ServerCredentials> Credentials(const TransportOptions& options) {
    if (options.certificate.empty()) return ::grpc::InsecureServerCredentials();
    ::grpc::SslServerCredentialsOptions tls(
        options.client_ca.empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                  : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
    tls.pem_root_certs = options.client_ca;
    tls.pem_key_cert_pairs.push_back({options.key, options.certificate});
    return ::grpc::SslServerCredentials(tls);
  }

  Patience patience_;  // before the server, whose calls use it
  BytesService service_;
  std::unique_ptr<Listener> listener_;
  // Before the server: gives it what was accepted.
  std::unique_ptr<::grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<::grpc::Server> server_;
};

}  // namespace
}  // namespace tfrt::serve::rpc

extern "C" __attribute__((visibility("default"))) tfrt::serve::rpc::Transport*
tfrt_start_grpc_transport(int version, const tfrt::serve::rpc::TransportOptions* options,
                          tfrt::serve::rpc::CallHandler* handler, std::string* error) {
  using namespace tfrt::serve::rpc;  // NOLINT: the function is of C
  if (version != kTransportVersion) {
    *error = "tfrt_grpc.so is of another version";
    return nullptr;
  }
  auto transport = std::make_unique<GrpcTransport>(*options, handler);
  if (!transport->Listen(*options, error)) return nullptr;
  return transport.release();
}
