// The counters that a session of level metrics collects for kernels on processors.
#ifndef TFRT_LIB_PROFILER_CPU_COUNTERS_H_
#define TFRT_LIB_PROFILER_CPU_COUNTERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::profiler {

// The first four are counters of the processor. They count the program's own instructions, not the
// system's work for it. The others are counters of the system.
enum class CpuCounter : uint8_t {
  kCycles,
  kInstructions,
  kCacheMisses,  // of the last level
  kBranchMisses,
  kPageFaults,
  kContextSwitches,
};
inline constexpr size_t kNumCpuCounters = 6;
inline constexpr size_t kNumHardwareCounters = 4;

// The names of counters as arguments of events. `cpu.counters` has those of the processor,
// `cpu.system` those of the system; both have only the available ones.
inline constexpr std::array<std::string_view, kNumCpuCounters> kCpuCounterNames = {
    "cycles", "instructions", "cache_misses", "branch_misses", "page_faults", "context_switches"};
inline constexpr std::string_view kHardwareCountersType = "cpu.counters";
inline constexpr std::string_view kSystemCountersType = "cpu.system";
// Problems of profiles that report missing counters begin with this text.
inline constexpr std::string_view kCountersProblem = "counters of kernels: ";

// Whether this process may use a counter on this machine.
struct CounterState {
  CpuCounter counter = CpuCounter::kCycles;
  std::string reason = {};  // why not; empty: it may
  std::string remedy = {};  // how to make it available
};
// Returns the states of all counters, in order, for the calling thread now. Counters that it opens
// are closed again.
std::vector<CounterState> ExamineCpuCounters();

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_CPU_COUNTERS_H_
