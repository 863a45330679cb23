// KernelCounts: the counters of kernels on processors (cpu_counters.h).
#ifndef TFRT_LIB_PROFILER_KERNEL_COUNTS_H_
#define TFRT_LIB_PROFILER_KERNEL_COUNTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cpu_counters.h"

namespace tfrt::profiler {

// Sums over all kernels of one name, with their blocks on any thread. Work that runs inside of
// another kernel on its thread, for example a task that a waiting kernel takes, is counted
// separately.
struct KernelCounts {
  std::string name;
  uint64_t num_calls = 0;
  std::array<std::optional<double>, kNumCpuCounters> counts = {};  // empty: not collected

  std::optional<double> Of(CpuCounter counter) const {
    return counts[static_cast<size_t>(counter)];
  }
  // Adds. If only one side has a counter, takes its value.
  KernelCounts& operator+=(const KernelCounts& other);
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_KERNEL_COUNTS_H_
