// From the events of counters in a trace to what each kernel counted.
#ifndef TFRT_LIB_PROFILER_STACK_KERNEL_COUNTERS_H_
#define TFRT_LIB_PROFILER_STACK_KERNEL_COUNTERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tfrt/profiler/cpu_counters.h"
#include "tfrt/profiler/trace.h"

namespace tfrt::profiler {

// A scope that was counted, without what other counted scopes inside of it on its thread counted.
struct CountedScope {
  uint32_t event = kNoEvent;
  std::array<std::optional<double>, kNumCpuCounters> counts = {};
};
// By event. Events of counters outside of any scope are left out.
std::vector<CountedScope> FindCountedScopes(const Trace& trace);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_KERNEL_COUNTERS_H_
