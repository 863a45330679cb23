#include "lib/serve/http/acceptor.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {
namespace {

constexpr std::chrono::milliseconds kPause{50};
constexpr int kAcceptsPerTurn = 64;
// Connections beyond the limit that may be open at once while they get their answer.
constexpr uint64_t kMaxBeyondLimit = 64;

}  // namespace

StatusOr<std::unique_ptr<Acceptor>> Acceptor::Listen(std::shared_ptr<ServerState> state) {
  const std::string& address = state->options.address;
  PeerAddress bound{};
  socklen_t size = sizeof(bound.v4);
  if (inet_pton(AF_INET, address.c_str(), &bound.v4.sin_addr) == 1) {
    bound.v4.sin_family = AF_INET;
    bound.v4.sin_port = htons(state->options.port);
  } else if (inet_pton(AF_INET6, address.c_str(), &bound.v6.sin6_addr) == 1) {
    bound.v6.sin6_family = AF_INET6;
    bound.v6.sin6_port = htons(state->options.port);
    size = sizeof(bound.v6);
  } else {
    return InvalidArgumentError(StrCat("'", address, "' is not an IPv4 or IPv6 address"));
  }
  const auto error = [&](std::string_view call) {
    return UnavailableError(StrCat("cannot listen at ", PeerText(bound), ": ", call, ": ",
                                   strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
  };
  std::unique_ptr<Acceptor> acceptor(new Acceptor(std::move(state)));
  acceptor->fd_ = socket(bound.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (acceptor->fd_ < 0) return error("socket");
  const int one = 1;
  setsockopt(acceptor->fd_, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
  if (bind(acceptor->fd_, &bound.any, size) != 0) return error("bind");
  if (listen(acceptor->fd_, 4096) != 0) return error("listen");
  if (getsockname(acceptor->fd_, &bound.any, &size) != 0) return error("getsockname");
  acceptor->port_ = ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
  return acceptor;
}

Acceptor::~Acceptor() { Close(); }

Status Acceptor::Watch(std::vector<std::shared_ptr<EventLoop>> loops) {
  loops_ = std::move(loops);
  epoll_fd_ = loops_.front()->epoll_fd();
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = this;
  if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd_, &event) != 0) {
    return UnavailableError("cannot watch the listening socket");
  }
  return OkStatus();
}

void Acceptor::OnReadable() {
  const uint64_t limit = state_->options.max_connections;
  for (int i = 0; i < kAcceptsPerTurn && fd_ >= 0; ++i) {
    NewSocket socket;
    socklen_t size = sizeof(socket.peer);
    socket.fd = accept4(fd_, &socket.peer.any, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket.fd < 0) {
      // Others are errors of one connection, which has ended before it was accepted.
      if (errno == EAGAIN || errno == EWOULDBLOCK) return;
      if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) continue;
      AddOne(&state_->num_paused_accepts);
      is_paused_ = true;
      paused_at_ = std::chrono::steady_clock::now();
      epoll_event event{};
      event.data.ptr = this;
      epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd_, &event);
      return;
    }
    AddOne(&state_->num_accepted);
    uint64_t num_open = 0;
    {
      std::lock_guard lock(state_->mutex);
      num_open = state_->num_open++;
    }
    if (num_open >= limit + kMaxBeyondLimit) {
      AddOne(&state_->num_refused_connections);
      close(socket.fd);
      state_->CountClosed();
      continue;
    }
    socket.is_beyond_limit = num_open >= limit;
    const int one = 1;
    setsockopt(socket.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    loops_[next_++ % loops_.size()]->Adopt(socket);
  }
}

void Acceptor::OnTick(std::chrono::steady_clock::time_point now) {
  if (!is_paused_ || fd_ < 0 || now - paused_at_ < kPause) return;
  is_paused_ = false;
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = this;
  epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd_, &event);
}

void Acceptor::Close() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
  is_paused_ = false;
  loops_.clear();
}

}  // namespace tfrt::serve::http
