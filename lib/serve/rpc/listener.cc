#include "lib/serve/rpc/listener.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tfrt::serve::rpc {
namespace {

// As long as nothing can be accepted, the event of the socket stays.
constexpr int kPauseMilliseconds = 50;
// Between these the listener looks whether it is to end.
constexpr int kMaxAcceptedAtOnce = 64;
// Looking at thousands of descriptors takes milliseconds, which nobody shall make it spend.
constexpr std::chrono::milliseconds kMinSweepInterval{50};

// The number of an open socket; 0: it is none.
ino_t SocketNumber(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISSOCK(status.st_mode)) return 0;
  return status.st_ino;
}

uint16_t PortOf(int descriptor) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

}  // namespace

std::unique_ptr<Listener> Listener::Listen(const std::string& address, uint16_t port,
                                           size_t max_connections, std::string* error) {
  const auto fail = [&](const char* why) {
    *error = "gRPC cannot listen on " + address + ":" + std::to_string(port) + ": " + why;
    return nullptr;
  };
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
    return fail("the address is not numeric");
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, freeaddrinfo);
  std::unique_ptr<Listener> listener(new Listener(max_connections));
  listener->stop_ = eventfd(0, EFD_CLOEXEC);
  listener->socket_ = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int fd = listener->socket_;
  if (fd < 0 || listener->stop_ < 0) return fail(std::strerror(errno));
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, SOMAXCONN) != 0) {
    return fail(std::strerror(errno));
  }
  listener->port_ = PortOf(fd);
  return listener;
}

Listener::~Listener() {
  Stop();
  if (stop_ >= 0) close(stop_);
}

void Listener::Start(Receiver receiver) {
  receiver_ = std::move(receiver);
  thread_ = std::thread([this] { Run(); });
  pthread_setname_np(thread_.native_handle(), "grpc-accept");
}

void Listener::Stop() {
  if (thread_.joinable()) {
    const uint64_t one = 1;
    (void)!write(stop_, &one, sizeof(one));
    thread_.join();
  }
  if (socket_ >= 0) close(std::exchange(socket_, -1));
}

void Listener::Run() {
  bool is_paused = false;
  while (true) {
    pollfd events[] = {{.fd = stop_, .events = POLLIN, .revents = 0},
                       {.fd = is_paused ? -1 : socket_, .events = POLLIN, .revents = 0}};
    const int count = poll(events, 2, is_paused ? kPauseMilliseconds : -1);
    if (count < 0 && errno != EINTR) return;  // cannot happen
    if (events[0].revents != 0) return;
    is_paused = !AcceptAll();
  }
}

bool Listener::AcceptAll() {
  for (int i = 0; i < kMaxAcceptedAtOnce; ++i) {
    const int fd = accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // A shortage passes when others are closed: of descriptors, or of memory.
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
    if (!Count(fd)) {
      close(fd);
      continue;
    }
    const int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    receiver_(fd);
  }
  return true;
}

bool Listener::Count(int descriptor) {
  open_.erase(descriptor);  // of one that has ended
  const auto now = std::chrono::steady_clock::now();
  if (open_.size() >= max_connections_ && now - swept_ >= kMinSweepInterval) {
    swept_ = now;
    std::erase_if(open_, [](const auto& one) { return SocketNumber(one.first) != one.second; });
  }
  if (open_.size() >= max_connections_) return false;
  open_.emplace(descriptor, SocketNumber(descriptor));
  return true;
}

}  // namespace tfrt::serve::rpc
