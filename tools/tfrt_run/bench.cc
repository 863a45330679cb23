#include "bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "lib/base/support/progress.h"
#include "tfrt/tracing/session.h"

namespace tfrt {

double Now() {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

namespace {

// The operations of a run, as far as the op table knows them: 0 if it knows none, or if the build
// makes no records.
StatusOr<double> CountWork(Session& session, std::span<const DenseHostTensor* const> inputs) {
  auto records = tracing::Session::Start({.max_level = tracing::StackLevel::kKernel,
                                          .queue_events = false,
                                          .buffer_bytes = size_t{64} << 20});
  if (!records.ok()) return 0.0;
  TFRT_RETURN_IF_ERROR(session.RunInOrder(inputs).status());
  (*records)->Stop();
  const tracing::Profile profile = (*records)->Read();
  double flops = 0;
  for (const tracing::Span* span : profile.OfType("graph.call")) flops += span->Real("flops");
  return profile.num_dropped > 0 ? 0.0 : flops;
}

}  // namespace

StatusOr<std::vector<double>> TimeRuns(Session& session,
                                       std::span<const DenseHostTensor* const> inputs,
                                       const CommandLine& line) {
  constexpr int kMinRuns = 10;
  constexpr double kMinTime = 1000;
  std::vector<double> times;
  Progress progress("tfrt_run");
  progress.Begin("runs");
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
    progress.Count(times.size(), static_cast<size_t>(line.num_runs));
  }
  return times;
}

Status Bench(Session& session, std::span<const DenseHostTensor* const> inputs,
             const CommandLine& line, const LoadTimes& load, const CountingAllocator& allocator) {
  // The second run of a session has a plan for its memory, which the first has made.
  TFRT_RETURN_IF_ERROR(session.RunInOrder(inputs).status());
  const size_t requests = allocator.num_requests();
  TFRT_ASSIGN_OR_RETURN(std::vector<double> times, TimeRuns(session, inputs, line));
  const size_t num_requests = allocator.num_requests() - requests;
  const Session::Memory memory = session.memory();
  TFRT_ASSIGN_OR_RETURN(const double work, CountWork(session, inputs));
  std::ranges::sort(times);
  auto quantile = [&](double q) {
    return times[static_cast<size_t>(std::lround(q * static_cast<double>(times.size() - 1)))];
  };
  std::printf("open               %10.3f ms\n", load.open);
  std::printf("load               %10.3f ms\n", load.load);
  std::printf("first run          %10.3f ms\n", load.first_run);
  std::printf("runs               %10zu on %d thread%s\n", times.size(), line.num_threads,
              line.num_threads == 1 ? "" : "s");
  std::printf("  minimum          %10.3f ms\n", times.front());
  std::printf("  median           %10.3f ms\n", quantile(0.5));
  std::printf("  99th percentile  %10.3f ms\n", quantile(0.99));
  if (work > 0) {
    std::printf("work               %10.3f GFLOP per run, %.2f GFLOP/s\n", work / 1e9,
                work / 1e6 / quantile(0.5));
  }
  auto megabytes = [](size_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  std::printf("arena              %10.3f MiB, at least %.3f MiB\n", megabytes(memory.arena_bytes),
              megabytes(memory.arena_lower_bound));
  std::printf("pool               %10.3f MiB with the arena\n", megabytes(memory.pool_bytes));
  std::printf("allocations        %10.3f per run\n",
              static_cast<double>(num_requests) / static_cast<double>(times.size()));
  return OkStatus();
}

}  // namespace tfrt
