// A client that sends and receives exactly the bytes it is told to, and a server to test it with.
#ifndef TFRT_TEST_UNIT_HTTP_RAW_CLIENT_H_
#define TFRT_TEST_UNIT_HTTP_RAW_CLIENT_H_

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "lib/serve/http/server.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve::http {

// One response as the client read it. The status is 0 if the connection closed before it was
// complete.
struct RawResponse {
  int status = 0;
  std::string head;  // with the status line, without the empty line
  std::string body;

  // Returns whether the head has this line.
  bool Has(std::string_view line) const {
    return StrCat(head, "\r\n").find(StrCat("\r\n", line, "\r\n")) != std::string::npos;
  }
};

class RawClient {
 public:
  static int NewSocket() { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }
  // `receive_buffer` is the size of the system's, 0 for its own choice. Takes the socket `fd`.
  explicit RawClient(uint16_t port, int receive_buffer = 0, int fd = NewSocket()) : fd_(fd) {
    if (receive_buffer > 0) {
      setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
    const int one = 1;
    setsockopt(fd_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() { Close(); }

  bool is_connected() const { return is_connected_; }
  int fd() const { return fd_; }
  void Close() {
    if (fd_ >= 0) close(std::exchange(fd_, -1));
  }
  void EndSending() { shutdown(fd_, SHUT_WR); }

  // Returns false once the server has closed.
  bool Send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  // Reads one response; `is_head` if it has no body in spite of its length.
  RawResponse Receive(bool is_head = false) {
    RawResponse response;
    size_t end;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!Fill()) return response;
    }
    response.head = buffer_.substr(0, end);
    buffer_.erase(0, end + 4);
    size_t length = 0;
    const size_t place = response.head.find("Content-Length: ");
    if (place != std::string::npos && !is_head) {
      length = std::strtoull(response.head.c_str() + place + 16, nullptr, 10);
    }
    while (buffer_.size() < length) {
      if (!Fill()) return response;
    }
    response.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    response.status = std::atoi(response.head.c_str() + 9);
    return response;
  }
  RawResponse Ask(std::string_view text) {
    Send(text);
    return Receive();
  }
  // Returns whether the server has closed, after what it sent before.
  bool IsClosed() {
    while (Fill()) {
    }
    return buffer_.empty();
  }

 private:
  bool Fill() {
    char bytes[16384];
    ssize_t received;
    do {
      received = recv(fd_, bytes, sizeof(bytes), 0);
    } while (received < 0 && errno == EINTR);
    if (received <= 0) return false;
    buffer_.append(bytes, static_cast<size_t>(received));
    return true;
  }

  int fd_;
  bool is_connected_ = false;
  std::string buffer_;
};

// Answers with what it got: "METHOD PATH?QUERY BODY".
inline Response Echo(const Request& request) {
  std::string text = StrCat(request.method(), ' ', request.path(), '?', request.query(), ' ');
  const auto body = request.body();
  text.append(reinterpret_cast<const char*>(body.data()), body.size());
  return TextResponse(200, "text/plain", std::move(text));
}
inline void EchoHandler(Request request, Responder responder) { responder.Respond(Echo(request)); }

inline std::unique_ptr<Server> StartServer(ServerOptions options, Handler handler) {
  options.address = "127.0.0.1";
  options.port = 0;
  StatusOr<std::unique_ptr<Server>> server = Server::Start(std::move(options), std::move(handler));
  EXPECT_TRUE(server.ok()) << server.status().ToString();
  return server.ok() ? std::move(*server) : nullptr;
}

// Waits for something that another thread brings about; the test's deadline ends a vain wait.
template <typename Condition>
void WaitUntil(const Condition& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace tfrt::serve::http

#endif  // TFRT_TEST_UNIT_HTTP_RAW_CLIENT_H_
