#include "lib/serve/http/server.h"

#include <mutex>
#include <utility>
#include <vector>

#include "lib/serve/http/acceptor.h"
#include "lib/serve/http/event_loop.h"
#include "lib/serve/http/server_state.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

constexpr int kMaxIoThreads = 64;

Status CheckOptions(const ServerOptions& options) {
  if (options.io_threads < 1 || options.io_threads > kMaxIoThreads) {
    return InvalidArgumentError(
        StrCat("io_threads is ", options.io_threads, ", but must be 1 to ", kMaxIoThreads));
  }
  if (options.max_connections < 1) return InvalidArgumentError("max_connections is 0");
  if (options.min_bytes_per_second < 1) return InvalidArgumentError("min_bytes_per_second is 0");
  const std::pair<const char*, std::chrono::milliseconds> timeouts[] = {
      {"idle_timeout", options.idle_timeout},
      {"header_timeout", options.header_timeout},
      {"body_timeout", options.body_timeout},
      {"write_timeout", options.write_timeout}};
  for (const auto& [name, timeout] : timeouts) {
    if (timeout.count() < 1) {
      return InvalidArgumentError(
          StrCat(name, " is ", timeout.count(), " ms, but must be 1 or more"));
    }
  }
  const TlsOptions& tls = options.tls;
  if (tls.certificate_file.empty() != tls.key_file.empty()) {
    return InvalidArgumentError("TLS needs both a certificate and a key");
  }
  if (tls.certificate_file.empty() && !tls.client_ca_file.empty()) {
    return InvalidArgumentError("certificates of clients need TLS");
  }
  return OkStatus();
}

}  // namespace

struct Server::Impl {
  std::shared_ptr<ServerState> state;
  std::unique_ptr<Acceptor> acceptor;
  std::vector<std::shared_ptr<EventLoop>> loops;

  ~Impl() {
    for (const std::shared_ptr<EventLoop>& loop : loops) loop->Stop();
    // Waits for calls on other threads. Later answers find no function of the program.
    std::lock_guard lock(state->hook_mutex);
    state->has_ended = true;
    state->handler = nullptr;
    state->options.on_answered = nullptr;
    state->options.error_response = nullptr;
  }
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

StatusOr<std::unique_ptr<Server>> Server::Start(ServerOptions options, Handler handler) {
  TFRT_RETURN_IF_ERROR(CheckOptions(options));
  auto impl = std::make_unique<Impl>();
  auto state = std::make_shared<ServerState>();
  impl->state = state;
  state->options = std::move(options);
  state->handler = std::move(handler);
  state->bodies =
      BodyPool::Make(state->options.max_total_body_bytes, state->options.max_pooled_body_bytes);
  if (!state->options.tls.certificate_file.empty()) {
    TFRT_ASSIGN_OR_RETURN(state->tls, TlsContext::Create(state->options.tls));
  }
  TFRT_ASSIGN_OR_RETURN(impl->acceptor, Acceptor::Listen(state));
  for (int i = 0; i < state->options.io_threads; ++i) {
    TFRT_ASSIGN_OR_RETURN(std::shared_ptr<EventLoop> loop, EventLoop::Create(state));
    impl->loops.push_back(std::move(loop));
  }
  TFRT_RETURN_IF_ERROR(impl->acceptor->Watch(impl->loops));
  // The first one accepts, and so begins last.
  for (size_t i = impl->loops.size(); i-- > 0;) {
    if (!impl->loops[i]->Start(i == 0 ? impl->acceptor.get() : nullptr)) {
      return UnavailableError("cannot start an I/O thread");
    }
  }
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

uint16_t Server::port() const { return impl_->acceptor->port(); }

ServerCounts Server::counts() const {
  ServerState& state = *impl_->state;
  const auto get = [](const std::atomic<uint64_t>& count) {
    return count.load(std::memory_order_relaxed);
  };
  return {.open_connections = state.NumOpen(),
          .accepted_connections = get(state.num_accepted),
          .refused_connections = get(state.num_refused_connections),
          .requests = get(state.num_requests),
          .refused_requests = get(state.num_refused_requests),
          .body_bytes_in_use = state.bodies->bytes_in_use(),
          .failed_handshakes = get(state.num_failed_handshakes),
          .paused_accepts = get(state.num_paused_accepts)};
}

void Server::StopAccepting() {
  impl_->state->is_draining.store(true, std::memory_order_relaxed);
  for (const std::shared_ptr<EventLoop>& loop : impl_->loops) loop->Wake();
}

bool Server::Drain(std::chrono::milliseconds timeout) {
  StopAccepting();
  ServerState& state = *impl_->state;
  std::unique_lock lock(state.mutex);
  return state.all_closed.wait_for(lock, timeout, [&] { return state.num_open == 0; });
}

Status Server::ReloadCertificates() {
  ServerState& state = *impl_->state;
  if (state.options.tls.certificate_file.empty()) {
    return FailedPreconditionError("the server has no TLS");
  }
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<TlsContext> tls, TlsContext::Create(state.options.tls));
  std::lock_guard lock(state.mutex);
  state.tls.swap(tls);
  return OkStatus();
}

}  // namespace tfrt::serve::http
