#include "lib/serve/http/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "test/unit/http/raw_client.h"

namespace tfrt::serve::http {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kHost = " HTTP/1.1\r\nHost: a\r\n";

std::string Get(std::string_view target, std::string_view headers = "") {
  return StrCat("GET ", target, kHost, headers, "\r\n");
}
std::string Post(std::string_view target, std::string_view body) {
  return StrCat("POST ", target, kHost, "Content-Length: ", body.size(), "\r\n\r\n", body);
}

// Holds what a handler was given, until the test answers.
class Held {
 public:
  Handler handler() {
    return [this](Request request, Responder responder) {
      std::lock_guard lock(mutex_);
      held_.emplace_back(std::move(request), std::move(responder));
      changed_.notify_all();
    };
  }
  std::pair<Request, Responder> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !held_.empty(); });
    std::pair<Request, Responder> taken = std::move(held_.front());
    held_.erase(held_.begin());
    return taken;
  }
  bool empty() {
    std::lock_guard lock(mutex_);
    return held_.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<Request, Responder>> held_;
};

TEST(ServerTest, AnswersOnOneConnection) {
  auto server = StartServer({}, EchoHandler);
  RawClient client(server->port());
  RawResponse response = client.Ask(Get("/a?b=c"));
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "GET /a?b=c ");
  EXPECT_TRUE(response.Has("Content-Type: text/plain"));
  EXPECT_TRUE(response.Has("Content-Length: 11"));
  EXPECT_TRUE(response.Has("Connection: keep-alive"));
  EXPECT_NE(response.head.find(" GMT\r\n"), std::string::npos);
  EXPECT_EQ(client.Ask(Post("/p", "hello")).body, "POST /p? hello");
  EXPECT_EQ(client.Ask(Post("/p", "")).body, "POST /p? ");
  EXPECT_EQ(server->counts().requests, 3u);
  EXPECT_EQ(server->counts().open_connections, 1u);
}

TEST(ServerTest, HeadHasLengthButNoBody) {
  auto server = StartServer({}, EchoHandler);
  RawClient client(server->port());
  client.Send(StrCat("HEAD /x", kHost, "\r\n"));
  RawResponse response = client.Receive(/*is_head=*/true);
  EXPECT_EQ(response.status, 200);
  EXPECT_TRUE(response.Has("Content-Length: 9"));
  // The next response follows at once.
  EXPECT_EQ(client.Ask(Get("/y")).body, "GET /y? ");
}

TEST(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  // Answers come from other threads, the later ones sooner if they could.
  std::vector<std::thread> threads;
  std::mutex mutex;
  {
    auto server = StartServer({}, [&](Request request, Responder responder) {
      std::lock_guard lock(mutex);
      threads.emplace_back(
          [request = std::move(request), responder = std::move(responder)]() mutable {
            responder.Respond(Echo(request));
          });
    });
    RawClient client(server->port());
    std::string all;
    for (int i = 0; i < 50; ++i) {
      all += Get(StrCat("/g", i));
      all += Post(StrCat("/p", i), std::string(static_cast<size_t>(i) * 100, 'x'));
    }
    client.Send(all);
    for (int i = 0; i < 50; ++i) {
      ASSERT_EQ(client.Receive().body, StrCat("GET /g", i, "? "));
      ASSERT_EQ(client.Receive().body,
                StrCat("POST /p", i, "? ", std::string(static_cast<size_t>(i) * 100, 'x')));
    }
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(ServerTest, RequestsMayArriveByteByByte) {
  auto server = StartServer({}, EchoHandler);
  RawClient client(server->port());
  const std::string chunked = StrCat("POST /c", kHost,
                                     "Transfer-Encoding: chunked\r\n\r\n4;a=\"b\"\r\nWiki\r\n"
                                     "5\r\npedia\r\n0\r\nX-Sum: 1\r\n\r\n");
  for (const std::string& text : {Get("/one"), Post("/two", "body"), chunked}) {
    for (char c : text) ASSERT_TRUE(client.Send({&c, 1}));
  }
  EXPECT_EQ(client.Receive().body, "GET /one? ");
  EXPECT_EQ(client.Receive().body, "POST /two? body");
  EXPECT_EQ(client.Receive().body, "POST /c? Wikipedia");
}

TEST(ServerTest, LargeBodiesAreAlignedAndOutliveTheirRequest) {
  std::shared_ptr<const void> owner;
  std::span<const std::byte> kept;
  std::string body(3'000'001, '\0');
  for (size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 7);
  {
    auto server = StartServer({}, [&](Request request, Responder responder) {
      kept = request.body();
      owner = request.shared_body();
      EXPECT_EQ(reinterpret_cast<uintptr_t>(kept.data()) % 64, 0u);
      Response response;
      response.body.push_back({.owned = "got ", .bytes = {}, .owner = nullptr});
      response.body.push_back({.owned = "", .bytes = kept, .owner = owner});
      responder.Respond(std::move(response));
    });
    RawClient client(server->port());
    std::thread sender([&] { client.Send(Post("/p", body)); });
    const RawResponse response = client.Receive();
    sender.join();
    EXPECT_EQ(response.body, "got " + body);
  }
  EXPECT_EQ(std::memcmp(kept.data(), body.data(), body.size()), 0);
}

TEST(ServerTest, ChunkedBodiesGrow) {
  auto server = StartServer({}, EchoHandler);
  RawClient client(server->port());
  std::string body, text = StrCat("POST /c", kHost, "Transfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 300; ++i) {
    const std::string chunk(1000, static_cast<char>('a' + i % 26));
    body += chunk;
    text += StrCat("3E8\r\n", chunk, "\r\n");
  }
  text += "0\r\n\r\n";
  EXPECT_EQ(client.Ask(text).body, "POST /c? " + body);
}

TEST(ServerTest, DataAfterAPrefixIsAligned) {
  std::string prefix;
  ServerOptions options;
  options.prefix_header = "Prefix-Length";
  auto server = StartServer(options, [&](Request request, Responder responder) {
    const bool is_number = prefix.find_first_not_of("0123456789") == std::string::npos;
    const size_t size = is_number ? std::strtoull(prefix.c_str(), nullptr, 10) : 0;
    // The address of what would be there: a prefix may be longer than the body.
    EXPECT_EQ((reinterpret_cast<uintptr_t>(request.body().data()) + size) % 64, 0u) << prefix;
    EchoHandler(std::move(request), std::move(responder));
  });
  RawClient client(server->port());
  for (const size_t body_size : {size_t{1}, size_t{100}, size_t{100'000}}) {
    const std::string body(body_size, 'b');
    for (const char* text : {"0", "1", "63", "64", "65", "99", "18446744073709551615", "x", "-1"}) {
      prefix = text;
      const std::string head = StrCat("POST /p", kHost, "prefix-length: ", prefix, "\r\n");
      EXPECT_EQ(client.Ask(StrCat(head, "Content-Length: ", body.size(), "\r\n\r\n", body)).body,
                "POST /p? " + body);
      std::string chunks = StrCat(head, "Transfer-Encoding: chunked\r\n\r\n");
      for (size_t i = 0; i < body_size; i += 1000) {
        const std::string chunk = body.substr(i, 1000);
        char size[8];
        std::snprintf(size, sizeof(size), "%zx", chunk.size());
        chunks += StrCat(std::string_view(size), "\r\n", chunk, "\r\n");
      }
      EXPECT_EQ(client.Ask(chunks + "0\r\n\r\n").body, "POST /p? " + body);
    }
  }
}

TEST(ServerTest, ClientsMayWaitForContinue) {
  auto server = StartServer({}, EchoHandler);
  RawClient client(server->port());
  EXPECT_EQ(
      client.Ask(StrCat("POST /p", kHost, "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n"))
          .head,
      "HTTP/1.1 100 Continue");
  EXPECT_EQ(client.Ask("abcd").body, "POST /p? abcd");
  // A body that has come along needs no permission.
  EXPECT_EQ(
      client.Ask(StrCat("POST /p", kHost, "Expect: 100-continue\r\nContent-Length: 4\r\n\r\nefgh"))
          .body,
      "POST /p? efgh");
  EXPECT_EQ(
      client.Ask(StrCat("POST /p", kHost, "Expect: more\r\nContent-Length: 4\r\n\r\n")).status,
      417);
}

TEST(ServerTest, ConnectionsCloseWhenAskedTo) {
  auto server = StartServer({}, EchoHandler);
  RawClient client(server->port());
  const RawResponse response = client.Ask(Get("/", "Connection: close\r\n") + Get("/never"));
  EXPECT_EQ(response.body, "GET /? ");
  EXPECT_TRUE(response.Has("Connection: close"));
  EXPECT_TRUE(client.IsClosed());
  RawClient old(server->port());
  EXPECT_TRUE(old.Ask("GET /old HTTP/1.0\r\n\r\n").Has("Connection: close"));
  EXPECT_TRUE(old.IsClosed());
  RawClient old_kept(server->port());
  EXPECT_TRUE(old_kept.Ask("GET /old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                  .Has("Connection: keep-alive"));
  EXPECT_EQ(old_kept.Ask("GET /old HTTP/1.0\r\n\r\n").body, "GET /old? ");
}

TEST(ServerTest, UnansweredRequestsGet500) {
  auto server = StartServer({}, [](Request, Responder) {});
  RawClient client(server->port());
  const RawResponse response = client.Ask(Get("/"));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body, "{\"error\":\"the request was not answered\"}");
  EXPECT_EQ(client.Ask(Get("/")).status, 500);  // the connection stays
}

TEST(ServerTest, OnlyTheFirstAnswerCounts) {
  auto server = StartServer({}, [](Request, Responder responder) {
    responder.Respond(TextResponse(200, "text/plain", "first"));
    responder.Respond(TextResponse(200, "text/plain", "second"));
    EXPECT_FALSE(responder.is_gone());
    responder.OnGone([] { FAIL() << "called after the answer"; });
  });
  RawClient client(server->port());
  EXPECT_EQ(client.Ask(Get("/")).body, "first");
  EXPECT_EQ(client.Ask(Get("/")).body, "first");
}

TEST(ServerTest, AssigningAResponderAnswersTheOldRequest) {
  Held held;
  auto server = StartServer({}, held.handler());
  RawClient first(server->port()), second(server->port());
  first.Send(Get("/1"));
  auto [request1, responder1] = held.Take();
  second.Send(Get("/2"));
  auto [request2, responder2] = held.Take();
  responder1 = std::move(responder2);
  EXPECT_EQ(first.Receive().status, 500);
  responder1.Respond(Echo(request2));
  EXPECT_EQ(second.Receive().body, "GET /2? ");
}

TEST(ServerTest, HandlersCannotSplitResponses) {
  auto server = StartServer({}, [](Request, Responder responder) {
    Response response = TextResponse(200, "text/plain", "x");
    response.headers.emplace_back("X-A", "b\r\nX-Evil: 1");
    responder.Respond(std::move(response));
  });
  RawClient client(server->port());
  const RawResponse response = client.Ask(Get("/"));
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body,
            "{\"error\":\"the response has a header or a status that may not be sent\"}");
}

TEST(ServerTest, TellsWhenTheClientHasGone) {
  Held held;
  auto server = StartServer({}, held.handler());
  RawClient client(server->port());
  client.Send(Get("/"));
  auto [request, responder] = held.Take();
  EXPECT_FALSE(responder.is_gone());
  std::atomic<int> calls{0};
  responder.OnGone([&] { FAIL() << "was replaced"; });
  responder.OnGone([&] { ++calls; });
  client.Close();
  WaitUntil([&] { return calls == 1; });
  EXPECT_TRUE(responder.is_gone());
  responder.OnGone([&] { ++calls; });  // at once
  EXPECT_EQ(calls, 2);
  responder.Respond(Echo(request));
  WaitUntil([&] { return server->counts().open_connections == 0; });
}

TEST(ServerTest, ClientsThatOnlyEndSendingGetTheirAnswer) {
  Held held;
  auto server = StartServer({}, held.handler());
  RawClient client(server->port());
  client.Send(Get("/1") + Get("/2"));
  client.EndSending();
  for (int i = 1; i <= 2; ++i) {
    auto [request, responder] = held.Take();
    WaitUntil([&responder = responder] { return responder.is_gone(); });
    responder.Respond(Echo(request));
    EXPECT_EQ(client.Receive().body, StrCat("GET /", i, "? "));
  }
  EXPECT_TRUE(client.IsClosed());
}

TEST(ServerTest, RespondersOutliveTheServer) {
  Held held;
  std::atomic<int> gone{0};
  std::pair<Request, Responder> answered, dropped;
  {
    auto server = StartServer({.io_threads = 2}, held.handler());
    RawClient first(server->port()), second(server->port());
    first.Send(Post("/", "body"));
    second.Send(Get("/"));
    answered = held.Take();
    dropped = held.Take();
    answered.second.OnGone([&] { ++gone; });
    server.reset();
    EXPECT_EQ(gone, 1);
    EXPECT_TRUE(first.IsClosed());
  }
  EXPECT_TRUE(answered.second.is_gone());
  answered.second.Respond(Echo(answered.first));
}

TEST(ServerTest, NothingIsReportedAfterTheEnd) {
  Held held;
  std::atomic<int> calls{0};
  ServerOptions options;
  options.on_answered = [&](const Access&) { ++calls; };
  auto server = StartServer(std::move(options), held.handler());
  RawClient client(server->port());
  client.Send(Get("/"));
  auto [request, responder] = held.Take();
  server.reset();
  responder.Respond(Echo(request));
  EXPECT_EQ(calls, 0);
}

TEST(ServerTest, DrainAnswersWhatIsInFlight) {
  Held held;
  auto server = StartServer({.io_threads = 2}, held.handler());
  RawClient idle(server->port()), busy(server->port());
  busy.Send(Get("/busy"));
  auto [request, responder] = held.Take();
  EXPECT_FALSE(server->Drain(milliseconds(1)));  // one is in flight
  EXPECT_TRUE(idle.IsClosed());
  RawClient late(server->port());
  EXPECT_FALSE(late.is_connected() && !late.IsClosed());
  responder.Respond(Echo(request));
  const RawResponse response = busy.Receive();
  EXPECT_EQ(response.body, "GET /busy? ");
  EXPECT_TRUE(response.Has("Connection: close"));
  EXPECT_TRUE(busy.IsClosed());
  EXPECT_TRUE(server->Drain(milliseconds(60'000)));
}

TEST(ServerTest, WhatIsAnsweredIsReportedThoughTheServerEnds) {
  for (int i = 0; i < 200; ++i) {
    Held held;
    int calls = 0;
    ServerOptions options;
    options.on_answered = [&](const Access&) { ++calls; };
    auto server = StartServer(std::move(options), held.handler());
    RawClient client(server->port());
    client.Send(Get("/"));
    auto taken = held.Take();
    std::thread thread([&taken] { taken.second.Respond(Echo(taken.first)); });
    EXPECT_EQ(client.Receive().status, 200);
    server.reset();
    EXPECT_EQ(calls, 1);
    thread.join();
  }
}

TEST(ServerTest, ManyClientsOnSomeThreads) {
  std::atomic<uint64_t> logged{0};
  ServerOptions options;
  options.io_threads = 2;
  options.on_answered = [&](const Access&) { ++logged; };
  auto server = StartServer(std::move(options), EchoHandler);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      RawClient client(server->port());
      for (int i = 0; i < 200; ++i) {
        const std::string body(static_cast<size_t>(i) * 37, static_cast<char>('a' + t));
        ASSERT_EQ(client.Ask(Post(StrCat("/", i), body)).body, StrCat("POST /", i, "? ", body));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server->counts().requests, 800u);
  WaitUntil([&] { return logged == 800u; });  // logs come after answers
}

TEST(ServerTest, AnswersAreReported) {
  std::mutex mutex;
  std::vector<std::string> lines;
  ServerOptions options;
  options.on_answered = [&](const Access& access) {
    std::lock_guard lock(mutex);
    lines.push_back(StrCat(access.method, ' ', access.target, ' ', access.id, ' ',
                           access.trace_parent, ' ', access.status, ' ', access.received_bytes, ' ',
                           access.sent_bytes));
    EXPECT_EQ(access.peer.substr(0, 10), "127.0.0.1:");
    EXPECT_GE(access.duration.count(), 0);
  };
  auto server = StartServer(std::move(options), [](Request request, Responder responder) {
    EXPECT_EQ(request.peer().substr(0, 10), "127.0.0.1:");
    EXPECT_FALSE(request.is_secure());
    responder.Respond(TextResponse(201, "text/plain", std::string(request.id())));
  });
  RawClient client(server->port());
  EXPECT_EQ(client.Ask(Get("/a?b", "x-request-id: my-1\r\ntraceparent: 00-1\r\n")).body, "my-1");
  EXPECT_EQ(client.Ask(Get("/", "X-Request-Id: <bad>\r\n")).body.size(), 16u);
  EXPECT_EQ(client.Ask(StrCat("POST /x", kHost, "Content-Length: -1\r\n\r\n")).status, 400);
  WaitUntil([&] {
    std::lock_guard lock(mutex);
    return lines.size() == 3;
  });
  EXPECT_EQ(lines[0], "GET /a?b my-1 00-1 201 0 4");
  EXPECT_EQ(lines[2].substr(0, 8), "POST /x ");
  EXPECT_NE(lines[2].find("  400 0 "), std::string::npos);
}

TEST(ServerTest, OptionsAreChecked) {
  const auto error = [](const std::function<void(ServerOptions*)>& change) {
    ServerOptions options;
    options.address = "127.0.0.1";
    options.port = 0;
    change(&options);
    return Server::Start(std::move(options), EchoHandler).status().ToString();
  };
  EXPECT_EQ(error([](ServerOptions* o) { o->io_threads = 0; }),
            "INVALID_ARGUMENT: io_threads is 0, but must be 1 to 64");
  EXPECT_EQ(error([](ServerOptions* o) { o->max_connections = 0; }),
            "INVALID_ARGUMENT: max_connections is 0");
  EXPECT_EQ(error([](ServerOptions* o) { o->min_bytes_per_second = 0; }),
            "INVALID_ARGUMENT: min_bytes_per_second is 0");
  EXPECT_EQ(error([](ServerOptions* o) { o->idle_timeout = milliseconds(0); }),
            "INVALID_ARGUMENT: idle_timeout is 0 ms, but must be 1 or more");
  EXPECT_EQ(error([](ServerOptions* o) { o->address = "example.com"; }),
            "INVALID_ARGUMENT: 'example.com' is not an IPv4 or IPv6 address");
  EXPECT_EQ(error([](ServerOptions* o) { o->tls.key_file = "x"; }),
            "INVALID_ARGUMENT: TLS needs both a certificate and a key");
  EXPECT_EQ(error([](ServerOptions* o) { o->tls.client_ca_file = "x"; }),
            "INVALID_ARGUMENT: certificates of clients need TLS");
  auto server = StartServer({}, EchoHandler);
  EXPECT_EQ(error([&](ServerOptions* o) { o->port = server->port(); }),
            StrCat("UNAVAILABLE: cannot listen at 127.0.0.1:", server->port(),
                   ": bind: Address already in use"));
  EXPECT_EQ(server->ReloadCertificates().ToString(), "FAILED_PRECONDITION: the server has no TLS");
}

TEST(ServerTest, ServesIpv6) {
  ServerOptions options;
  options.address = "::1";
  options.port = 0;
  auto server = Server::Start(std::move(options), [](Request request, Responder responder) {
    responder.Respond(TextResponse(200, "text/plain", request.peer()));
  });
  if (!server.ok()) GTEST_SKIP() << server.status().ToString();
  const int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_port = htons((*server)->port());
  address.sin6_addr = in6addr_loopback;
  ASSERT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  const std::string text = Get("/");
  ASSERT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  char bytes[1000];
  const ssize_t received = recv(fd, bytes, sizeof(bytes), 0);
  close(fd);
  ASSERT_GT(received, 0);
  EXPECT_NE(std::string_view(bytes, received).find("\r\n\r\n[::1]:"), std::string_view::npos);
}

}  // namespace
}  // namespace tfrt::serve::http
