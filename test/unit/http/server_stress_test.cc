// Random clients against a server whose answers come from other threads.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "lib/serve/http/server.h"
#include "test/unit/http/raw_client.h"

namespace tfrt::serve::http {
namespace {

// One request that a worker answers or drops. It counts calls of OnGone.
struct StressJob {
  Request request;
  Responder responder;
  std::shared_ptr<std::atomic<int>> num_gone = std::make_shared<std::atomic<int>>(0);
};

// Threads that answer in random order.
class StressWorkers {
 public:
  StressWorkers() {
    for (uint32_t seed = 0; seed < 2; ++seed) {
      threads_.emplace_back([this, seed] { Run(seed); });
    }
  }
  ~StressWorkers() {
    {
      std::lock_guard lock(mutex_);
      is_ending_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void Push(Request request, Responder responder) {
    auto job = std::make_unique<StressJob>();
    job->request = std::move(request);
    job->responder = std::move(responder);
    job->responder.OnGone([count = job->num_gone] { ++*count; });
    {
      std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

 private:
  void Run(uint32_t seed) {
    std::mt19937 random(seed);
    for (;;) {
      std::unique_ptr<StressJob> job;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        std::swap(jobs_[random() % jobs_.size()], jobs_.back());
        job = std::move(jobs_.back());
        jobs_.pop_back();
      }
      (void)job->responder.is_gone();
      // Half of the bodies are sent from where they were received.
      Response response;
      if (random() % 2 == 0) {
        response = Echo(job->request);
      } else {
        const Request& request = job->request;
        response =
            TextResponse(200, "text/plain",
                         StrCat(request.method(), ' ', request.path(), '?', request.query(), ' '));
        response.body.push_back(
            {.owned = "", .bytes = request.body(), .owner = request.shared_body()});
        if (random() % 2 == 0) job->request = Request();
      }
      job->responder.Respond(std::move(response));
      EXPECT_LE(*job->num_gone, 1);
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<StressJob>> jobs_;
  bool is_ending_ = false;
  std::vector<std::thread> threads_;
};

// Sends some requests in random parts, and reads the answers or leaves.
void RunStressClient(uint16_t port, uint32_t seed) {
  std::mt19937 random(seed);
  RawClient client(port);
  const uint32_t num_requests = 1 + random() % 6;
  std::string text;
  std::vector<std::string> expected;
  for (uint32_t i = 0; i < num_requests; ++i) {
    const std::string body(random() % 8 == 0 ? random() % 200'000 : random() % 200,
                           static_cast<char>('a' + random() % 26));
    text += StrCat("POST /", i, " HTTP/1.1\r\nHost: a\r\n");
    if (random() % 3 == 0 && !body.empty()) {
      const size_t cut = random() % body.size();
      const auto chunk = [](std::string_view data) {
        char size[16];
        std::snprintf(size, sizeof(size), "%zx\r\n", data.size());
        return data.empty() ? std::string() : StrCat(size, data, "\r\n");
      };
      text +=
          StrCat("Transfer-Encoding: chunked\r\n\r\n", chunk(std::string_view(body).substr(0, cut)),
                 chunk(std::string_view(body).substr(cut)), "0\r\n\r\n");
    } else {
      text += StrCat("Content-Length: ", body.size(), "\r\n\r\n", body);
    }
    expected.push_back(StrCat("POST /", i, "? ", body));
  }
  const uint32_t manner = random() % 4;
  // Some leave in the middle of a request, or of an answer.
  if (manner == 0) text.resize(random() % text.size());
  std::thread sender([&client, text, part_seed = random()] {
    std::mt19937 part_random(static_cast<uint32_t>(part_seed));
    for (size_t done = 0; done < text.size();) {
      const size_t size = 1 + part_random() % (part_random() % 2 == 0 ? 20 : 50'000);
      if (!client.Send(std::string_view(text).substr(done, size))) return;
      done += size;
    }
  });
  if (manner == 0) {
    sender.join();
    return;
  }
  const size_t num_read = manner == 1 ? random() % expected.size() : expected.size();
  for (size_t i = 0; i < num_read; ++i) ASSERT_EQ(client.Receive().body, expected[i]);
  if (num_read < expected.size()) shutdown(client.fd(), SHUT_RDWR);
  sender.join();
  if (manner == 2) {
    client.EndSending();
    EXPECT_TRUE(client.IsClosed());
  }
}

TEST(ServerStressTest, RandomClients) {
  StressWorkers workers;
  ServerOptions options;
  options.io_threads = 2;
  auto server = StartServer(std::move(options), [&](Request request, Responder responder) {
    workers.Push(std::move(request), std::move(responder));
  });
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < 40; ++i) RunStressClient(server->port(), t * 1000 + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(server->Drain(std::chrono::milliseconds(60'000)));
  server.reset();
}

TEST(ServerStressTest, EndsAmongRequests) {
  // The server ends while clients send and workers answer.
  for (uint32_t round = 0; round < 5; ++round) {
    StressWorkers workers;
    std::atomic<int> num_logged{0};
    ServerOptions options;
    options.io_threads = 2;
    options.on_answered = [&](const Access&) { ++num_logged; };
    auto server = StartServer(std::move(options), [&](Request request, Responder responder) {
      workers.Push(std::move(request), std::move(responder));
    });
    std::atomic<uint32_t> num_answered{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 2; ++t) {
      threads.emplace_back([&, port = server->port()] {
        RawClient client(port);
        while (client.Ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n").status == 200) ++num_answered;
      });
    }
    WaitUntil([&] { return num_answered >= 20; });
    server.reset();
    const int num_at_end = num_logged;
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(num_logged, num_at_end);
  }
}

}  // namespace
}  // namespace tfrt::serve::http
