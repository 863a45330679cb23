#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace tfrt {

double Now() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void Progress::Tell(int done, int total) {
  constexpr double kInterval = 1000;
  const double now = Now();
  if (now - last_ < kInterval) return;
  last_ = now;
  has_told_ = true;
  std::fprintf(stderr, "\r%s: %d", what_.c_str(), done);
  if (total > 0) std::fprintf(stderr, " of %d", total);
  std::fprintf(stderr, ", %.0f s", (now - begin_) / 1000);
  std::fflush(stderr);
}

Progress::~Progress() {
  if (has_told_) std::fputc('\n', stderr);
}

StatusOr<std::vector<double>> TimeRuns(Session& session,
                                       std::span<const DenseHostTensor* const> inputs,
                                       const CommandLine& line) {
  constexpr int kMinRuns = 10;
  constexpr double kMinTime = 1000;
  std::vector<double> times;
  Progress progress("runs");
  const double begin = Now();
  auto is_enough = [&] {
    const int count = static_cast<int>(times.size());
    if (line.num_runs > 0) return count >= line.num_runs;
    return count >= kMinRuns && Now() - begin >= kMinTime;
  };
  while (!is_enough()) {
    const double start = Now();
    auto results = session.RunInOrder(inputs);
    if (!results.ok()) return results.status();
    times.push_back(Now() - start);
    progress.Tell(static_cast<int>(times.size()), line.num_runs);
  }
  return times;
}

Status Bench(Session& session, std::span<const DenseHostTensor* const> inputs,
             const CommandLine& line, const LoadTimes& load) {
  // The second run of a session has a plan for its memory, which the first has made.
  TFRT_RETURN_IF_ERROR(session.RunInOrder(inputs).status());
  const size_t requests = session.memory().host_requests;
  TFRT_ASSIGN_OR_RETURN(std::vector<double> times, TimeRuns(session, inputs, line));
  const Session::Memory memory = session.memory();
  std::ranges::sort(times);
  auto quantile = [&](double q) {
    return times[static_cast<size_t>(q * static_cast<double>(times.size() - 1) + 0.5)];
  };
  std::printf("open               %10.3f ms\n", load.open);
  std::printf("load               %10.3f ms\n", load.load);
  std::printf("first run          %10.3f ms\n", load.first_run);
  std::printf("runs               %10zu on %d thread%s\n", times.size(), line.num_threads,
              line.num_threads == 1 ? "" : "s");
  std::printf("  minimum          %10.3f ms\n", times.front());
  std::printf("  median           %10.3f ms\n", quantile(0.5));
  std::printf("  99th percentile  %10.3f ms\n", quantile(0.99));
  auto megabytes = [](size_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  std::printf("arena              %10.3f MiB, at least %.3f MiB\n", megabytes(memory.arena_bytes),
              megabytes(memory.arena_lower_bound));
  std::printf("pool               %10.3f MiB with the arena\n", megabytes(memory.pool_bytes));
  std::printf(
      "allocations        %10.3f per run\n",
      static_cast<double>(memory.host_requests - requests) / static_cast<double>(times.size()));
  return OkStatus();
}

}  // namespace tfrt
