// serve_http: what an HTTP request costs, beside the least that sockets can do.
//   serve_http [ROUNDS]     medians of round trips on one connection, default 2000 of 4 bytes each
//   serve_http --idle N     memory of N idle connections
//   serve_http --load ...   the floor and servers that run, under load (serve_load.h); the floor's
//                           port is 0, and a file has all bytes of a request
//
// The floor is a thread per connection with blocking calls, which looks for two headers by strstr
// and answers as the server does. The client is one of its own for both, and both take turns.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "lib/serve/http/server.h"
#include "serve_load.h"
#include "tfrt/support/str_cat.h"

namespace {

namespace http = tfrt::serve::http;
using tfrt::StrCat;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kRequestJson =
    R"({"id":"1","inputs":[{"name":"x","datatype":"FP32","parameters":{"binary_data_size":4}}]})";
constexpr std::string_view kResponseJson =
    R"({"model_name":"id","model_version":"1","outputs":[{"name":"y","datatype":"FP32"}]})";

int Connect(uint16_t port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (fd < 0 || connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    std::perror("connect");
    std::exit(1);
  }
  const int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  return fd;
}

bool WriteAll(int fd, std::string_view head, std::string_view body) {
  iovec parts[2] = {{const_cast<char*>(head.data()), head.size()},
                    {const_cast<char*>(body.data()), body.size()}};
  size_t next = 0;
  while (next < 2) {
    const ssize_t written = writev(fd, parts + next, static_cast<int>(2 - next));
    if (written <= 0) return false;
    size_t left = static_cast<size_t>(written);
    while (next < 2 && left >= parts[next].iov_len) left -= parts[next++].iov_len;
    if (next < 2) {
      parts[next].iov_base = static_cast<char*>(parts[next].iov_base) + left;
      parts[next].iov_len -= left;
    }
  }
  return true;
}

// Reads a message into `bytes`; returns where its body begins, or 0 at the end of the connection.
size_t ReadMessage(int fd, std::vector<char>* bytes, size_t* body_size) {
  size_t have = 0;
  size_t body = 0;
  *body_size = 0;
  while (body == 0 || have < body + *body_size) {
    const ssize_t received = read(fd, bytes->data() + have, bytes->size() - have - 1);
    if (received <= 0) return 0;
    have += static_cast<size_t>(received);
    (*bytes)[have] = '\0';
    if (body > 0) continue;
    const char* end = std::strstr(bytes->data(), "\r\n\r\n");
    if (!end) continue;
    body = static_cast<size_t>(end + 4 - bytes->data());
    const char* length = strcasestr(bytes->data(), "\r\ncontent-length: ");
    *body_size = length ? std::strtoull(length + 18, nullptr, 10) : 0;
  }
  return body;
}

void ServeFloor(int fd) {
  std::vector<char> bytes(2 << 20);
  size_t size;
  while (const size_t body = ReadMessage(fd, &bytes, &size)) {
    const char* json = strcasestr(bytes.data(), "inference-header-content-length: ");
    const size_t skipped = json ? std::strtoull(json + 33, nullptr, 10) : 0;
    const std::string head = StrCat(
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
        "Inference-Header-Content-Length: ",
        kResponseJson.size(), "\r\nContent-Length: ", kResponseJson.size() + size - skipped,
        "\r\n\r\n", kResponseJson);
    if (!WriteAll(fd, head, {bytes.data() + body + skipped, size - skipped})) break;
  }
  close(fd);
}

uint16_t StartFloor() {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  socklen_t size = sizeof(address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || listen(fd, 16) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    std::perror("floor");
    std::exit(1);
  }
  std::thread([fd] {
    for (;;) {
      const int client = accept(fd, nullptr, nullptr);
      const int one = 1;
      setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
      std::thread(ServeFloor, client).detach();
    }
  }).detach();
  return ntohs(address.sin_port);
}

http::Response Identity(const http::Request& request) {
  const std::string length(request.Find("inference-header-content-length").value_or("0"));
  http::Response response;
  response.headers = {{"Content-Type", "application/octet-stream"},
                      {"Inference-Header-Content-Length", std::to_string(kResponseJson.size())}};
  response.body.push_back({.owned = std::string(kResponseJson), .bytes = {}, .owner = nullptr});
  response.body.push_back(
      {.owned = "",
       .bytes = request.body().subspan(std::strtoull(length.c_str(), nullptr, 10)),
       .owner = request.shared_body()});
  return response;
}

// Answers on a thread of its own, as models do.
class Worker {
 public:
  Worker() : thread_([this] { Run(); }) {}
  ~Worker() {
    Push({http::Request(), http::Responder()});
    thread_.join();
  }
  using Job = std::pair<http::Request, http::Responder>;
  void Push(Job job) {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_one();
  }

 private:
  void Run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !jobs_.empty(); });
      Job job = std::move(jobs_.front());
      jobs_.erase(jobs_.begin());
      lock.unlock();
      if (job.first.method().empty()) return;
      job.second.Respond(Identity(job.first));
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job> jobs_;
  std::thread thread_;  // last: uses the others
};

std::unique_ptr<http::Server> StartServer(http::ServerOptions options, http::Handler handler) {
  options.address = "127.0.0.1";
  options.port = 0;
  auto server = http::Server::Start(std::move(options), std::move(handler));
  if (!server.ok()) {
    std::fprintf(stderr, "serve_http: %s\n", server.status().ToString().c_str());
    std::exit(1);
  }
  return std::move(*server);
}

double ResidentMegabytes() {
  std::ifstream status("/proc/self/statm");
  size_t pages = 0;
  status >> pages >> pages;
  return static_cast<double>(pages * static_cast<size_t>(sysconf(_SC_PAGESIZE))) / 1e6;
}

int MeasureIdle(int count) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  auto server = StartServer({}, [](http::Request request, http::Responder responder) {
    responder.Respond(Identity(request));
  });
  std::vector<char> bytes(1 << 16);
  const double before = ResidentMegabytes();
  for (int i = 0; i < count; ++i) {
    const int fd = Connect(server->port());
    size_t size;
    WriteAll(fd, StrCat("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"), "abcd");
    if (ReadMessage(fd, &bytes, &size) == 0) return 1;
  }
  const double after = ResidentMegabytes();
  std::printf("%d idle connections: %.1f MB, %.0f bytes each\n", count, after - before,
              (after - before) * 1e6 / count);
  return 0;
}

// A connection and a request, of which each call is an exchange.
class LoadClient {
 public:
  LoadClient(uint16_t port, const std::string* request)
      : socket_(Connect(port)), request_(request), bytes_(4 << 20) {}
  ~LoadClient() { close(socket_); }
  LoadClient(const LoadClient&) = delete;
  LoadClient& operator=(const LoadClient&) = delete;

  bool Exchange() {
    size_t size = 0;
    bytes_[0] = '\0';
    if (WriteAll(socket_, *request_, {}) && ReadMessage(socket_, &bytes_, &size) > 0 && size > 0 &&
        std::string_view(bytes_.data()).starts_with("HTTP/1.1 200")) {
      return true;
    }
    std::fprintf(stderr, "serve_http: no answer, but '%.300s'\n", bytes_.data());
    return false;
  }

 private:
  const int socket_;
  const std::string* const request_;
  std::vector<char> bytes_;
};

int MeasureLoad(int argc, char** argv) {
  const tfrt::benchmarks::LoadArguments arguments =
      tfrt::benchmarks::ParseLoadArguments(argc, argv);
  const uint16_t floor = StartFloor();
  std::vector<tfrt::benchmarks::LoadTarget> targets;
  for (const auto& peer : arguments.peers) {
    const uint16_t port = peer.port == 0 ? floor : static_cast<uint16_t>(peer.port);
    targets.push_back({.name = peer.name, .connect = [port, request = &peer.request] {
                         auto client = std::make_shared<LoadClient>(port, request);
                         return [client] { return client->Exchange(); };
                       }});
  }
  return RunLoad(targets, arguments.options);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc >= 2 && std::string_view(argv[1]) == "--load") return MeasureLoad(argc - 1, argv + 1);
  if (argc == 3 && std::string_view(argv[1]) == "--idle") return MeasureIdle(std::atoi(argv[2]));
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 2000;
  Worker worker;
  const auto here = StartServer({}, [](http::Request request, http::Responder responder) {
    responder.Respond(Identity(request));
  });
  const auto there = StartServer({}, [&](http::Request request, http::Responder responder) {
    worker.Push({std::move(request), std::move(responder)});
  });
  const uint16_t ports[] = {StartFloor(), here->port(), there->port()};
  std::vector<char> bytes(2 << 20);
  std::printf("p50 of one connection, us: floor, server, server that answers on another thread\n");
  for (const size_t tensor_bytes : {size_t{4}, size_t{602112}}) {
    const std::string body = StrCat(kRequestJson, std::string(tensor_bytes, 'x'));
    const std::string head = StrCat(
        "POST /v2/models/id/infer HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
        "application/octet-stream\r\nInference-Header-Content-Length: ",
        kRequestJson.size(), "\r\nContent-Length: ", body.size(), "\r\n\r\n");
    std::vector<double> times[3];
    int clients[3];
    for (int s = 0; s < 3; ++s) clients[s] = Connect(ports[s]);
    const int num_calls = tensor_bytes == 4 ? rounds : std::max(1, rounds / 10);
    for (int i = 0; i < num_calls; ++i) {
      for (int s = 0; s < 3; ++s) {
        const auto begin = Clock::now();
        size_t size;
        if (!WriteAll(clients[s], head, body) || ReadMessage(clients[s], &bytes, &size) == 0 ||
            size != kResponseJson.size() + tensor_bytes) {
          std::fprintf(stderr, "serve_http: a wrong answer\n");
          return 1;
        }
        times[s].push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
      }
    }
    double medians[3];
    for (int s = 0; s < 3; ++s) {
      close(clients[s]);
      std::nth_element(times[s].begin(), times[s].begin() + num_calls / 2, times[s].end());
      medians[s] = times[s][static_cast<size_t>(num_calls / 2)];
    }
    std::printf("%7zu bytes  %8.1f  %8.1f (%.2fx)  %8.1f (%.2fx)\n", tensor_bytes, medians[0],
                medians[1], medians[1] / medians[0], medians[2], medians[2] / medians[0]);
  }
  return 0;
}
