#include "serve_load.h"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string_view>
#include <thread>

namespace tfrt::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;

struct Times {
  std::vector<double> microseconds;
  std::vector<double> per_second;  // of each round
  bool is_wrong = false;
};

void RunTarget(const LoadTarget& target, int num_clients, bool warms_up, int milliseconds,
               Times* times) {
  std::mutex mutex;         // guards *times
  Clock::time_point begin;  // written before any client passes the barrier
  std::barrier connected(num_clients, [&]() noexcept { begin = Clock::now(); });
  const size_t before = times->microseconds.size();
  std::vector<std::thread> threads;
  for (int i = 0; i < num_clients; ++i) {
    threads.emplace_back([&] {
      const std::function<bool()> client = target.connect();
      bool is_right = !warms_up || client();
      connected.arrive_and_wait();
      std::vector<double> mine;
      const Clock::time_point end = begin + std::chrono::milliseconds(milliseconds);
      Clock::time_point now = Clock::now();
      do {
        is_right = client() && is_right;
        const Clock::time_point after = Clock::now();
        mine.push_back(std::chrono::duration<double, std::micro>(after - now).count());
        now = after;
      } while (is_right && now < end);
      std::lock_guard lock(mutex);
      times->microseconds.insert(times->microseconds.end(), mine.begin(), mine.end());
      times->is_wrong |= !is_right;
    });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  times->per_second.push_back(static_cast<double>(times->microseconds.size() - before) / seconds);
}

double Quantile(std::vector<double>* values, double part) {
  const auto place =
      values->begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values->size() - 1));
  std::nth_element(values->begin(), place, values->end());
  return *place;
}

[[noreturn]] void Fail(const char* argument) {
  std::fprintf(stderr,
               "'%s' is none of --clients=N,N..., --rounds=N, --milliseconds=N and "
               "NAME=PORT=FILE\n",
               argument);
  std::exit(2);
}

}  // namespace

int RunLoad(const std::vector<LoadTarget>& targets, const LoadOptions& options) {
  int result = 0;
  for (const int num_clients : options.clients) {
    std::vector<Times> times(targets.size());
    for (int round = 0; round < options.rounds; ++round) {
      for (size_t i = 0; i < targets.size(); ++i) {
        const size_t t = (i + static_cast<size_t>(round)) % targets.size();
        if (times[t].is_wrong) continue;
        RunTarget(targets[t], num_clients, round == 0, options.milliseconds, &times[t]);
        if (times[t].is_wrong) {
          std::fprintf(stderr, "a wrong answer, or none, of %s\n", targets[t].name.c_str());
          result = 1;
        }
      }
    }
    for (size_t t = 0; t < targets.size(); ++t) {
      if (times[t].is_wrong) continue;
      std::vector<double>& all = times[t].microseconds;
      std::printf("%d %s %.1f %.1f %.1f %.1f\n", num_clients, targets[t].name.c_str(),
                  Quantile(&all, 0), Quantile(&all, 0.5), Quantile(&all, 0.99),
                  Quantile(&times[t].per_second, 0.5));
    }
    std::fflush(stdout);
  }
  return result;
}

LoadArguments ParseLoadArguments(int argc, char** argv) {
  LoadArguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const auto number_after = [&](std::string_view prefix) {
      const int number = std::atoi(argv[i] + prefix.size());
      if (number < 1) Fail(argv[i]);
      return number;
    };
    if (argument.starts_with("--clients=")) {
      arguments.options.clients.clear();
      for (size_t at = argument.find('='); at != std::string_view::npos;
           at = argument.find(',', at + 1)) {
        arguments.options.clients.push_back(number_after(argument.substr(0, at + 1)));
      }
    } else if (argument.starts_with("--rounds=")) {
      arguments.options.rounds = number_after("--rounds=");
    } else if (argument.starts_with("--milliseconds=")) {
      arguments.options.milliseconds = number_after("--milliseconds=");
    } else {
      const size_t port = argument.find('=');
      const size_t file = argument.find('=', port + 1);
      if (argument.starts_with("-") || file == std::string_view::npos) Fail(argv[i]);
      std::ifstream bytes(argv[i] + file + 1, std::ios::binary);
      if (!bytes) Fail(argv[i]);
      arguments.peers.push_back(
          {.name = std::string(argument.substr(0, port)),
           .port = std::atoi(argv[i] + port + 1),
           .request = std::string(std::istreambuf_iterator<char>(bytes), {})});
    }
  }
  return arguments;
}

}  // namespace tfrt::benchmarks
