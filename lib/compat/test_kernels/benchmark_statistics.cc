#include "benchmark_statistics.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <utility>

#include "lib/base/support/decimal_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// CPU time of all threads, because a run may use several.
int64_t ProcessCpuTimeNs() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1000000000 + time.tv_nsec;
}

// Element floor(count * percent / 100) of the sorted times; 0 if there are none.
int64_t Percentile(const std::vector<int64_t>& sorted, size_t percent) {
  return sorted.empty() ? 0 : sorted[sorted.size() * percent / 100];
}

std::string TimeLines(const std::string& prefix, const char* clock, std::vector<int64_t> times) {
  std::sort(times.begin(), times.end());
  std::string lines;
  constexpr std::pair<const char*, size_t> kRows[] = {
      {"Min", 0}, {"50%", 50}, {"95%", 95}, {"99%", 99}};
  for (auto [label, percent] : kRows) {
    lines += StrCat(prefix, clock, ' ', label, "(ns): ", Percentile(times, percent), '\n');
  }
  return lines;
}

}  // namespace

void BenchmarkStatistics::StartRun() {
  cpu_start_ns_ = ProcessCpuTimeNs();
  wall_start_ = std::chrono::steady_clock::now();
}

void BenchmarkStatistics::StopRun() {
  std::chrono::nanoseconds wall = std::chrono::steady_clock::now() - wall_start_;
  int64_t cpu_ns = ProcessCpuTimeNs() - cpu_start_ns_;
  if (warmup_runs_left_ > 0) {
    --warmup_runs_left_;
    return;
  }
  total_wall_ += wall;
  wall_times_ns_.push_back(wall.count());
  cpu_times_ns_.push_back(cpu_ns);
}

std::string BenchmarkStatistics::Summary() const {
  std::string prefix = StrCat("BM:", name_, ":");
  std::string text = StrCat(prefix, "Duration(ns): ", total_wall_.count(), '\n', prefix,
                            "Count: ", wall_times_ns_.size(), '\n');
  text += TimeLines(prefix, "Time", wall_times_ns_);
  text += TimeLines(prefix, "CPU", cpu_times_ns_);
  int64_t total_cpu = std::accumulate(cpu_times_ns_.begin(), cpu_times_ns_.end(), int64_t{0});
  double utilization =
      total_wall_.count() == 0 ? 0.0 : 100.0 * total_cpu / static_cast<double>(total_wall_.count());
  return text + StrCat(prefix, "CPU utilization(percent): ",
                       DecimalText(utilization, std::chars_format::scientific, 6), '\n');
}

void BenchmarkStatistics::Print() const {
  std::printf("%s", Summary().c_str());
  std::fflush(stdout);
}

}  // namespace tfrt
