// Measurements of the benchmark kernels, and the lines they print.
#ifndef TFRT_LIB_COMPAT_TEST_KERNELS_BENCHMARK_STATISTICS_H_
#define TFRT_LIB_COMPAT_TEST_KERNELS_BENCHMARK_STATISTICS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt {

struct BenchmarkLimits {
  std::chrono::nanoseconds duration;  // of the measured runs together
  uint64_t max_count;                 // measured runs
  uint64_t num_warmup_runs;           // runs before the first measured one
};

// Used by one run at a time.
class BenchmarkStatistics {
 public:
  BenchmarkStatistics(std::string_view name, BenchmarkLimits limits)
      : name_(name), limits_(limits), warmup_runs_left_(limits.num_warmup_runs) {}

  // True if no further run is wanted.
  bool IsDone() const {
    return warmup_runs_left_ == 0 &&
           (wall_times_ns_.size() >= limits_.max_count || total_wall_ >= limits_.duration);
  }
  void StartRun();
  void StopRun();
  // The summary that programs print, in one string.
  std::string Summary() const;
  // Summary to standard output.
  void Print() const;

 private:
  const std::string name_;
  const BenchmarkLimits limits_;
  uint64_t warmup_runs_left_;
  std::chrono::steady_clock::time_point wall_start_;
  int64_t cpu_start_ns_ = 0;
  std::chrono::nanoseconds total_wall_{0};
  std::vector<int64_t> wall_times_ns_;
  std::vector<int64_t> cpu_times_ns_;
};

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_TEST_KERNELS_BENCHMARK_STATISTICS_H_
