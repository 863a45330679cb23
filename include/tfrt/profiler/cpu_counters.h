// What a session of level metrics counts in kernels that run on processors.
#ifndef TFRT_PROFILER_CPU_COUNTERS_H_
#define TFRT_PROFILER_CPU_COUNTERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::profiler {

// The first four are the processor's, of the program's own instructions, not of what the system
// does for it; the others are the system's.
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

// As arguments of events are called that tell of them: `cpu.counters` has those of the processor,
// `cpu.system` those of the system, both only the ones that there are.
inline constexpr std::array<std::string_view, kNumCpuCounters> kCpuCounterNames = {
    "cycles", "instructions", "cache_misses", "branch_misses", "page_faults", "context_switches"};
inline constexpr std::string_view kHardwareCountersType = "cpu.counters";
inline constexpr std::string_view kSystemCountersType = "cpu.system";
// Problems of traces that tell of counters which are missing begin so.
inline constexpr std::string_view kCountersProblem = "counters of kernels: ";

// Whether this process may have a counter on this machine.
struct CounterState {
  CpuCounter counter = CpuCounter::kCycles;
  std::string reason = {};  // why not; empty: it may
  std::string remedy = {};  // what can be done about it
};
// All of them, in order, as the calling thread finds them now: what is asked for is closed again.
std::vector<CounterState> ExamineCpuCounters();

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_CPU_COUNTERS_H_
