// Acceptor: the listening socket. Internal to the server.
#ifndef TFRT_LIB_SERVE_HTTP_ACCEPTOR_H_
#define TFRT_LIB_SERVE_HTTP_ACCEPTOR_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lib/serve/http/event_loop.h"
#include "lib/serve/http/server_state.h"
#include "tfrt/support/status.h"

namespace tfrt::serve::http {

// Belongs to the first loop's thread once that runs.
class Acceptor {
 public:
  // Fails with InvalidArgument if the address is not numeric, with Unavailable if it cannot be
  // bound.
  static StatusOr<std::unique_ptr<Acceptor>> Listen(std::shared_ptr<ServerState> state);
  ~Acceptor();
  uint16_t port() const { return port_; }

  // Watches the socket in the epoll instance of the first loop. `loops` get the connections in
  // turn.
  Status Watch(std::vector<std::shared_ptr<EventLoop>> loops);
  // Accepts what waits, up to a limit. Without descriptors it pauses, because the event would come
  // again at once.
  void OnReadable();
  void OnTick(std::chrono::steady_clock::time_point now);
  bool is_paused() const { return is_paused_; }
  // Closes the socket.
  void Close();

 private:
  explicit Acceptor(std::shared_ptr<ServerState> state) : state_(std::move(state)) {}

  const std::shared_ptr<ServerState> state_;
  int fd_ = -1;
  int epoll_fd_ = -1;
  uint16_t port_ = 0;
  std::vector<std::shared_ptr<EventLoop>> loops_;
  size_t next_ = 0;
  bool is_paused_ = false;
  std::chrono::steady_clock::time_point paused_at_;
};

}  // namespace tfrt::serve::http

#endif  // TFRT_LIB_SERVE_HTTP_ACCEPTOR_H_
