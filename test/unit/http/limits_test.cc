// Limits of requests, connections, time and descriptors.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "lib/serve/http/server.h"
#include "test/unit/http/raw_client.h"

namespace tfrt::serve::http {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kPost = "POST / HTTP/1.1\r\nHost: a\r\n";
constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

// Sends a request on a connection of its own. Returns "STATUS BODY" if the server then closes.
std::string Refusal(uint16_t port, std::string_view text) {
  RawClient client(port);
  const RawResponse response = client.Ask(text);
  EXPECT_TRUE(response.Has("Connection: close"));
  EXPECT_TRUE(client.IsClosed());
  return StrCat(response.status, ' ', response.body);
}

TEST(LimitsTest, MalformedRequestsGetAnErrorBody) {
  auto server = StartServer({}, EchoHandler);
  const uint16_t port = server->port();
  EXPECT_EQ(Refusal(port, "\x16\x03\x01\x02 what is this\r\n\r\n"),
            R"(400 {"error":"the method is not a token"})");
  EXPECT_EQ(Refusal(port, "GET / HTTP/1.1\nHost: a\n\n"),
            R"(400 {"error":"a line of the head does not end with CRLF"})");
  EXPECT_EQ(Refusal(port, "GET / HTTP/3.0\r\n\r\n"),
            R"(505 {"error":"only HTTP/1.1 and HTTP/1.0 are served"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                                 "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")),
            R"(400 {"error":"there is both a Content-Length and a Transfer-Encoding"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n")),
            R"(400 {"error":"the data of a chunk do not end with CRLF"})");
  EXPECT_EQ(server->counts().refused_requests, 5u);
  EXPECT_EQ(server->counts().requests, 0u);
}

TEST(LimitsTest, ErrorsMayHaveOtherBodies) {
  ServerOptions options;
  options.error_response = [](int status, std::string_view reason) {
    return TextResponse(status, "text/plain", StrCat("<", reason, ">"));
  };
  auto server = StartServer(std::move(options), EchoHandler);
  EXPECT_EQ(Refusal(server->port(), "GET\r\n\r\n"),
            "400 <the request line is not 'METHOD TARGET VERSION'>");
}

TEST(LimitsTest, HeadsAndBodiesAreBounded) {
  ServerOptions options;
  options.head_limits = {.max_request_line = 100, .max_head = 1000, .max_headers = 5};
  options.max_body_bytes = 1000;
  auto server = StartServer(std::move(options), EchoHandler);
  const uint16_t port = server->port();
  // Nobody has to read on to the end of what is too long.
  EXPECT_EQ(Refusal(port, "GET /" + std::string(200, 'a')),
            R"(414 {"error":"the request line is too long"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "X: ", std::string(2000, 'a'))),
            R"(431 {"error":"the head is too long"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "A:\r\nB:\r\nC:\r\nD:\r\nE:\r\n")),
            R"(431 {"error":"there are too many headers"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Content-Length: 1001\r\n\r\n", std::string(1001, 'x'))),
            R"(413 {"error":"the body is too large"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Content-Length: 99999999999\r\n\r\n")),
            R"(413 {"error":"the body is too large"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Transfer-Encoding: chunked\r\n\r\n3E9\r\n")),
            R"(413 {"error":"the body is too large"})");
  RawClient client(port);
  const std::string body(1000, 'x');
  EXPECT_EQ(client.Ask(StrCat(kPost, "Content-Length: 1000\r\n\r\n", body)).body,
            "POST /? " + body);
}

TEST(LimitsTest, BodiesOfAllRequestsAreBounded) {
  std::mutex mutex;
  std::vector<Request> kept;
  ServerOptions options;
  options.max_total_body_bytes = 200'000;
  auto server = StartServer(std::move(options), [&](Request request, Responder responder) {
    Response response = Echo(request);
    {
      std::lock_guard lock(mutex);
      kept.push_back(std::move(request));
    }
    responder.Respond(std::move(response));
  });
  const std::string text =
      StrCat(kPost, "Content-Length: 100000\r\n\r\n", std::string(100'000, 'x'));
  RawClient first(server->port()), second(server->port());
  EXPECT_EQ(first.Ask(text).status, 200);
  EXPECT_EQ(second.Ask(text).status, 200);
  EXPECT_EQ(server->counts().body_bytes_in_use, 200'000u);
  const std::string full = R"(503 {"error":"the bodies of requests fill the memory set for them"})";
  EXPECT_EQ(Refusal(server->port(), text), full);
  const std::string chunk(20'000, 'y');
  std::string chunks = StrCat(kPost, "Transfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 10; ++i) chunks += StrCat("4E20\r\n", chunk, "\r\n");
  EXPECT_EQ(Refusal(server->port(), chunks), full);
  {
    std::lock_guard lock(mutex);
    kept.clear();
  }
  EXPECT_EQ(first.Ask(text).status, 200);
  // Bytes that are only announced keep nobody from sending.
  {
    std::lock_guard lock(mutex);
    kept.clear();
  }
  std::vector<std::unique_ptr<RawClient>> announcers;
  for (int i = 0; i < 5; ++i) {
    announcers.push_back(std::make_unique<RawClient>(server->port()));
    announcers.back()->Send(StrCat(kPost, "Content-Length: 199999\r\n\r\nx"));
  }
  EXPECT_EQ(first.Ask(text).status, 200);
}

TEST(LimitsTest, ConnectionsBeyondTheLimitGet503) {
  ServerOptions options;
  options.max_connections = 2;
  auto server = StartServer(std::move(options), EchoHandler);
  auto first = std::make_unique<RawClient>(server->port());
  RawClient second(server->port());
  EXPECT_EQ(first->Ask(kGet).status, 200);
  EXPECT_EQ(second.Ask(kGet).status, 200);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Refusal(server->port(), kGet),
              R"(503 {"error":"the server has too many connections"})");
  }
  EXPECT_EQ(server->counts().refused_connections, 3u);
  WaitUntil([&] { return server->counts().open_connections == 2; });
  first.reset();
  WaitUntil([&] { return server->counts().open_connections == 1; });
  RawClient third(server->port());
  EXPECT_EQ(third.Ask(kGet).status, 200);
  EXPECT_EQ(second.Ask(kGet).status, 200);
}

TEST(LimitsTest, SlowClientsAreClosed) {
  ServerOptions options;
  options.header_timeout = milliseconds(40);
  options.body_timeout = milliseconds(40);
  options.idle_timeout = milliseconds(40);
  options.min_bytes_per_second = 1'000'000;
  auto server = StartServer(std::move(options), EchoHandler);
  const uint16_t port = server->port();
  EXPECT_EQ(Refusal(port, "GET / HT"), R"(408 {"error":"the head did not arrive in time"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Content-Length: 10\r\n\r\nabc")),
            R"(408 {"error":"the body did not arrive in time"})");
  EXPECT_EQ(Refusal(port, StrCat(kPost, "Transfer-Encoding: chunked\r\n\r\n4\r\nab")),
            R"(408 {"error":"the body did not arrive in time"})");
  // Those that send nothing get nothing.
  RawClient silent(port);
  EXPECT_TRUE(silent.IsClosed());
  RawClient idle(port);
  EXPECT_EQ(idle.Ask(kGet).status, 200);
  EXPECT_TRUE(idle.IsClosed());
}

TEST(LimitsTest, ClientsThatDoNotReadAreClosed) {
  ServerOptions options;
  options.write_timeout = milliseconds(40);
  options.min_bytes_per_second = 1'000'000'000;
  auto bytes = std::make_shared<std::string>(64 << 20, 'x');  // more than sockets hold
  auto server = StartServer(std::move(options), [&](Request, Responder responder) {
    Response response;
    response.body.push_back(
        {.owned = "", .bytes = std::as_bytes(std::span(*bytes)), .owner = bytes});
    responder.Respond(std::move(response));
  });
  RawClient client(server->port(), /*receive_buffer=*/4096);
  client.Send(kGet);
  WaitUntil([&] { return server->counts().requests == 1; });
  WaitUntil([&] { return server->counts().open_connections == 0; });
  WaitUntil([&] { return bytes.use_count() == 1; });  // the response is destroyed
}

TEST(LimitsTest, SlowReadersGetAllBytes) {
  std::string bytes(8 << 20, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 11 >> 8);
  auto server = StartServer({}, [&](Request, Responder responder) {
    Response response;
    // More pieces than one call of the system takes, some of them empty.
    for (size_t i = 0; i < 200; ++i) {
      const size_t begin = bytes.size() * i / 200, end = bytes.size() * (i + 1) / 200;
      response.body.emplace_back();
      response.body.push_back({.owned = "",
                               .bytes = std::as_bytes(std::span(bytes)).subspan(begin, end - begin),
                               .owner = nullptr});
    }
    responder.Respond(std::move(response));
  });
  RawClient client(server->port(), /*receive_buffer=*/8192);
  client.Send(StrCat(kGet, kGet));
  EXPECT_EQ(client.Receive().body, bytes);
  EXPECT_EQ(client.Receive().body, bytes);
}

// Takes all descriptors of the process but some, until it is destroyed.
class FewDescriptors {
 public:
  explicit FewDescriptors(int num_left) {
    getrlimit(RLIMIT_NOFILE, &before_);
    const int lowest = dup(0);
    close(lowest);
    rlimit fewer = before_;
    fewer.rlim_cur = static_cast<rlim_t>(lowest + num_left);
    setrlimit(RLIMIT_NOFILE, &fewer);
  }
  ~FewDescriptors() { Restore(); }
  void Restore() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST(LimitsTest, WithoutDescriptorsAcceptingPauses) {
  auto server = StartServer({}, EchoHandler);
  RawClient old(server->port());
  EXPECT_EQ(old.Ask(kGet).status, 200);
  {
    // Sockets of clients exist before the limit falls, so that only accepting fails.
    std::vector<std::unique_ptr<RawClient>> clients;
    std::vector<int> sockets;
    for (int i = 0; i < 4; ++i) sockets.push_back(RawClient::NewSocket());
    FewDescriptors few(1);
    for (int fd : sockets) {
      clients.push_back(std::make_unique<RawClient>(server->port(), 0, fd));
    }
    for (auto& client : clients) client->Send(kGet);
    WaitUntil([&] { return server->counts().paused_accepts > 0; });
    EXPECT_EQ(old.Ask(kGet).status, 200);  // connections that are open go on
    few.Restore();
    for (auto& client : clients) EXPECT_EQ(client->Receive().status, 200);
  }
  // Each pause takes 50 ms: a loop that spun would have counted thousands.
  EXPECT_LT(server->counts().paused_accepts, 100u);
}

}  // namespace
}  // namespace tfrt::serve::http
