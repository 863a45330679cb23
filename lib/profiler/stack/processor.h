// Which processor this is, as far as it decides what it can do.
#ifndef TFRT_LIB_PROFILER_STACK_PROCESSOR_H_
#define TFRT_LIB_PROFILER_STACK_PROCESSOR_H_

#include <string>

#include "tfrt/profiler/machine.h"

namespace tfrt::profiler {

struct ProcessorModel {
  enum class Vendor : uint8_t { kOther, kIntel, kAmd };
  Vendor vendor = Vendor::kOther;
  unsigned family = 0, model = 0;
};
ProcessorModel ReadProcessorModel();

// Processors' worth of time that the control groups of this process give it at most: the least of
// its group and those around it, of version 2 (cpu.max) and 1 (cpu.cfs_quota_us). 0: no limit, or
// none that can be read. `root` stands before /proc and /sys, for tests.
double ReadCpuQuota(const std::string& root = "");

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_PROCESSOR_H_
