// KernelCounts: what counters said of kernels on processors (cpu_counters.h).
#ifndef TFRT_PROFILER_KERNEL_COUNTS_H_
#define TFRT_PROFILER_KERNEL_COUNTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "tfrt/profiler/cpu_counters.h"

namespace tfrt::profiler {

// Of all kernels of one name together, with their blocks on whatever threads. What runs inside of
// another kernel on its thread, as a task may that a waiting kernel takes, counts for itself alone.
struct KernelCounts {
  std::string name;
  uint64_t num_calls = 0;
  std::array<std::optional<double>, kNumCpuCounters> counts = {};  // empty: not collected

  std::optional<double> Of(CpuCounter counter) const {
    return counts[static_cast<size_t>(counter)];
  }
  // Sums; of a counter that one of them lacks, what the other has.
  KernelCounts& operator+=(const KernelCounts& other);
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_KERNEL_COUNTS_H_
