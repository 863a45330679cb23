// Listener: accepts the connections of a server of gRPC. The listener of gRPC itself has no limit.
// It ends for ever when the process has no descriptor left.
#ifndef TFRT_LIB_SERVE_RPC_LISTENER_H_
#define TFRT_LIB_SERVE_RPC_LISTENER_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

namespace tfrt::serve::rpc {

// Has one thread, which sleeps but for new connections. Part of the module: links nothing of tfrt.
class Listener {
 public:
  // Receives the descriptor of each connection, which then is the receiver's to close. On the
  // thread of the listener.
  using Receiver = std::function<void(int descriptor)>;

  // Listens, but accepts nothing yet. `address` is numeric. Returns null, and sets `error`, if it
  // cannot be listened at. More connections than `max_connections` are closed at once.
  static std::unique_ptr<Listener> Listen(const std::string& address, uint16_t port,
                                          size_t max_connections, std::string* error);
  // Calls Stop.
  ~Listener();
  uint16_t port() const { return port_; }

  // Called once.
  void Start(Receiver receiver);
  // Closes the socket. The receiver is not called any more once this has returned.
  void Stop();

 private:
  explicit Listener(size_t max_connections) : max_connections_(max_connections) {}
  void Run();
  // Accepts what waits, up to a limit. Returns false if there are no descriptors.
  bool AcceptAll();
  // Returns whether another connection may be open, and counts it.
  bool Count(int descriptor);

  const size_t max_connections_;
  int socket_ = -1;
  int stop_ = -1;  // an eventfd
  uint16_t port_ = 0;
  Receiver receiver_;
  std::thread thread_;
  // The numbers of sockets, by descriptor. gRPC closes them without a word. A descriptor whose
  // socket has another number is of no connection of this any more.
  std::unordered_map<int, ino_t> open_;
  std::chrono::steady_clock::time_point swept_;  // when those were last looked for
};

}  // namespace tfrt::serve::rpc

#endif  // TFRT_LIB_SERVE_RPC_LISTENER_H_
