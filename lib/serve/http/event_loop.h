// EventLoop: one I/O thread with its connections. Internal to the server.
#ifndef TFRT_LIB_SERVE_HTTP_EVENT_LOOP_H_
#define TFRT_LIB_SERVE_HTTP_EVENT_LOOP_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "lib/serve/http/request_parts.h"
#include "lib/serve/http/server_state.h"
#include "tfrt/support/os_thread.h"
#include "tfrt/support/status.h"

namespace tfrt::serve::http {

class Acceptor;
class Connection;

// A socket that was accepted.
struct NewSocket {
  int fd = -1;
  PeerAddress peer{};
  bool is_beyond_limit = false;  // gets 503
};

// Connections hold their loop, and the loop its connections until they close. So a Responder that
// outlives the server finds a loop that does nothing any more.
class EventLoop : public std::enable_shared_from_this<EventLoop> {
 public:
  // Fails with Unavailable if the system has no descriptors left.
  static StatusOr<std::shared_ptr<EventLoop>> Create(std::shared_ptr<ServerState> state);
  ~EventLoop();

  // Starts the thread, which also accepts if `acceptor` is given. It must outlive the thread.
  // Returns false if the thread cannot be started.
  bool Start(Acceptor* acceptor);
  // Ends the thread, then closes all connections on the calling thread.
  void Stop();

  // For any thread: the I/O thread goes on with the connection, adds the socket, looks at flags.
  void Post(std::shared_ptr<Connection> connection);
  void Adopt(const NewSocket& socket);
  void Wake();

  ServerState& state() { return *state_; }

  // The rest is for the I/O thread, or for Stop.
  // Memory to read into, the same for all connections.
  static constexpr size_t kScratchBytes = 16 << 10;
  std::span<char> scratch() { return scratch_; }
  // Goes on with a connection after the others have had their turn.
  void ContinueLater(Connection* connection);
  // Does a step of the connection's handshake, one per turn of the loop. A step takes up to a
  // millisecond of the processor, so no more than one delays the others.
  void HandshakeLater(Connection* connection);
  // Forgets a closed connection at the end of the turn.
  void Remove(Connection* connection);

  int epoll_fd() const { return epoll_fd_; }

 private:
  explicit EventLoop(std::shared_ptr<ServerState> state);
  void Run();
  void RunTurn();
  int WaitMilliseconds() const;
  void TakePosted();
  void Add(const NewSocket& socket);
  void Tick();

  const std::shared_ptr<ServerState> state_;
  int epoll_fd_ = -1, wake_fd_ = -1;
  Acceptor* acceptor_ = nullptr;
  OsThread thread_;
  std::chrono::milliseconds tick_interval_;
  std::chrono::steady_clock::time_point next_tick_;

  // For the I/O thread alone.
  std::vector<char> scratch_;
  std::vector<std::shared_ptr<Connection>> connections_, closed_, continued_;
  std::deque<std::shared_ptr<Connection>> handshakes_;

  std::mutex mutex_;  // of the rest
  bool is_stopping_ = false;
  bool is_woken_ = false;
  std::vector<std::shared_ptr<Connection>> posted_;
  std::vector<NewSocket> adopted_;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_EVENT_LOOP_H_
