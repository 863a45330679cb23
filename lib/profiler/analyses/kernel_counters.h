// Converts the events of counters in a profile to the counts of each kernel.
#ifndef TFRT_LIB_PROFILER_ANALYSES_KERNEL_COUNTERS_H_
#define TFRT_LIB_PROFILER_ANALYSES_KERNEL_COUNTERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "lib/profiler/cpu_counters.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

// A counted scope, without the counts of other counted scopes inside of it on its thread.
struct CountedScope {
  uint32_t event = kNoEvent;
  std::array<std::optional<double>, kNumCpuCounters> counts = {};
};
// Returns the scopes ordered by event. Events of counters outside of any scope are left out.
std::vector<CountedScope> FindCountedScopes(const Profile& profile);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_KERNEL_COUNTERS_H_
