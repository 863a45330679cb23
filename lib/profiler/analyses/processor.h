// Identifies the processor, as far as that determines its peak rates.
#ifndef TFRT_LIB_PROFILER_ANALYSES_PROCESSOR_H_
#define TFRT_LIB_PROFILER_ANALYSES_PROCESSOR_H_

#include <string>

#include "lib/profiler/machine.h"

namespace tfrt::profiler {

struct ProcessorModel {
  enum class Vendor : uint8_t { kOther, kIntel, kAmd };
  Vendor vendor = Vendor::kOther;
  unsigned family = 0, model = 0;
};
ProcessorModel ReadProcessorModel();

// Returns the most processor time, in processors, that the control groups of this process allow. It
// is the least of its group and the enclosing ones, of version 2 (cpu.max) and 1
// (cpu.cfs_quota_us). Returns 0 without a limit, or if none can be read. `root` is put before /proc
// and /sys, for tests.
double ReadCpuQuota(const std::string& root = "");

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_PROCESSOR_H_
