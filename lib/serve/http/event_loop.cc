#include "lib/serve/http/event_loop.h"

#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "lib/serve/http/acceptor.h"
#include "lib/serve/http/connection.h"

namespace tfrt::serve::http {
namespace {

using Milliseconds = std::chrono::milliseconds;

// Timeouts are looked at in steps of a quarter of the shortest one.
Milliseconds TickInterval(const ServerOptions& options) {
  const Milliseconds shortest = std::min(
      {options.idle_timeout, options.header_timeout, options.body_timeout, options.write_timeout});
  return std::clamp(shortest / 4, Milliseconds(5), Milliseconds(500));
}

}  // namespace

EventLoop::EventLoop(std::shared_ptr<ServerState> state)
    : state_(std::move(state)),
      tick_interval_(TickInterval(state_->options)),
      scratch_(kScratchBytes) {}

StatusOr<std::shared_ptr<EventLoop>> EventLoop::Create(std::shared_ptr<ServerState> state) {
  std::shared_ptr<EventLoop> loop(new EventLoop(std::move(state)));
  loop->epoll_fd_ = epoll_create1(EPOLL_CLOEXEC);
  loop->wake_fd_ = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = nullptr;  // the only one
  if (loop->epoll_fd_ < 0 || loop->wake_fd_ < 0 ||
      epoll_ctl(loop->epoll_fd_, EPOLL_CTL_ADD, loop->wake_fd_, &event) != 0) {
    return UnavailableError("cannot create an event loop: no descriptors are left");
  }
  return loop;
}

EventLoop::~EventLoop() {
  if (epoll_fd_ >= 0) close(epoll_fd_);
  if (wake_fd_ >= 0) close(wake_fd_);
}

bool EventLoop::Start(Acceptor* acceptor) {
  acceptor_ = acceptor;
  // Signals are for the program's own threads: the new one inherits this mask.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool is_started = thread_.Start(TaskFunction([this] { Run(); }));
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_started;
}

void EventLoop::Stop() {
  {
    std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  Wake();
  if (thread_.joinable()) thread_.Join();
  std::vector<NewSocket> adopted;
  {
    std::lock_guard lock(mutex_);
    adopted.swap(adopted_);
  }
  for (const NewSocket& socket : adopted) {
    close(socket.fd);
    state_->CountClosed();
  }
  while (!connections_.empty()) {
    const std::shared_ptr<Connection> connection = connections_.back();
    connection->Close();
  }
  handshakes_.clear();
  continued_.clear();
  closed_.clear();
  std::lock_guard lock(mutex_);
  posted_.clear();
}

void EventLoop::Wake() {
  {
    std::lock_guard lock(mutex_);
    if (is_woken_) return;
    is_woken_ = true;
  }
  const uint64_t one = 1;
  // Fails only if the counter is full, and then the thread is woken anyway.
  (void)!write(wake_fd_, &one, sizeof(one));
}

void EventLoop::Post(std::shared_ptr<Connection> connection) {
  {
    std::lock_guard lock(mutex_);
    if (is_stopping_) return;
    posted_.push_back(std::move(connection));
  }
  Wake();
}

void EventLoop::Adopt(const NewSocket& socket) {
  {
    std::lock_guard lock(mutex_);
    adopted_.push_back(socket);
  }
  Wake();
}

void EventLoop::ContinueLater(Connection* connection) {
  continued_.push_back(connection->shared_from_this());
}

void EventLoop::HandshakeLater(Connection* connection) {
  handshakes_.push_back(connection->shared_from_this());
}

void EventLoop::Remove(Connection* connection) {
  // Closing the socket has ended its events, but some of this turn may be left.
  std::shared_ptr<Connection>& place = connections_[connection->index];
  closed_.push_back(std::move(place));
  place = std::move(connections_.back());
  connections_.pop_back();
  if (connection->index < connections_.size()) {
    connections_[connection->index]->index = connection->index;
  }
  state_->CountClosed();
}

void EventLoop::Add(const NewSocket& socket) {
  std::unique_ptr<TlsSession> session;
  std::shared_ptr<TlsContext> tls;
  {
    std::lock_guard lock(state_->mutex);
    tls = state_->tls;
  }
  if (tls && !socket.is_beyond_limit) session = tls->NewSession(socket.fd);
  if (tls && !session) {  // there is no answer before the handshake
    close(socket.fd);
    if (socket.is_beyond_limit) AddOne(&state_->num_refused_connections);
    state_->CountClosed();
    return;
  }
  auto connection = std::make_shared<Connection>(shared_from_this(), socket, std::move(session));
  connection->index = connections_.size();
  connections_.push_back(connection);
  epoll_event event{};
  event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
  event.data.ptr = connection.get();
  if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, socket.fd, &event) != 0) {
    connection->Close();
  } else if (socket.is_beyond_limit) {
    connection->RefuseConnection();
  } else {
    connection->Process();
  }
}

void EventLoop::TakePosted() {
  std::vector<std::shared_ptr<Connection>> posted;
  std::vector<NewSocket> adopted;
  {
    std::lock_guard lock(mutex_);
    is_woken_ = false;
    posted.swap(posted_);
    adopted.swap(adopted_);
  }
  for (const NewSocket& socket : adopted) Add(socket);
  for (const std::shared_ptr<Connection>& connection : posted) connection->Process();
}

void EventLoop::Tick() {
  const auto now = std::chrono::steady_clock::now();
  next_tick_ = now + tick_interval_;
  if (acceptor_) {
    // relaxed: Wake comes after the flag, and its mutex orders them.
    if (state_->is_draining.load(std::memory_order_relaxed)) acceptor_->Close();
    acceptor_->OnTick(now);
  }
  // From the end: a connection that closes is replaced by one that has had its turn.
  for (size_t i = connections_.size(); i-- > 0;) connections_[i]->OnTick(now);
}

int EventLoop::WaitMilliseconds() const {
  if (!continued_.empty() || !handshakes_.empty()) return 0;
  if (connections_.empty() && !(acceptor_ && acceptor_->is_paused())) return -1;
  const auto left = std::chrono::ceil<Milliseconds>(next_tick_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<int64_t>(0, left.count()));
}

void EventLoop::RunTurn() {
  std::array<epoll_event, 128> events;
  const int count = epoll_wait(epoll_fd_, events.data(), events.size(), WaitMilliseconds());
  bool is_woken = false;
  bool can_accept = false;
  for (int i = 0; i < count; ++i) {
    void* const target = events[i].data.ptr;
    if (!target) {
      is_woken = true;
    } else if (target == acceptor_) {
      can_accept = true;
    } else {
      static_cast<Connection*>(target)->OnEvent(events[i].events);
    }
  }
  if (is_woken) {
    uint64_t ignored;
    (void)!read(wake_fd_, &ignored, sizeof(ignored));
    TakePosted();
    if (state_->is_draining.load(std::memory_order_relaxed)) next_tick_ = {};
  }
  if (can_accept) acceptor_->OnReadable();
  std::vector<std::shared_ptr<Connection>> continued;
  continued.swap(continued_);
  for (const std::shared_ptr<Connection>& connection : continued) connection->Process();
  if (!handshakes_.empty()) {
    const std::shared_ptr<Connection> connection = std::move(handshakes_.front());
    handshakes_.pop_front();
    connection->HandshakeStep();
  }
  if (std::chrono::steady_clock::now() >= next_tick_) Tick();
  closed_.clear();
}

void EventLoop::Run() {
  pthread_setname_np(pthread_self(), "tfrt_http");
  for (;;) {
    RunTurn();
    std::lock_guard lock(mutex_);
    if (is_stopping_) return;
  }
}

}  // namespace tfrt::serve::http
