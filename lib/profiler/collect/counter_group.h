// CounterGroup: counters of one thread that count at the same time and are read at once.
#ifndef TFRT_LIB_PROFILER_COLLECT_COUNTER_GROUP_H_
#define TFRT_LIB_PROFILER_COLLECT_COUNTER_GROUP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lib/profiler/cpu_counters.h"
#include "perf_calls.h"

namespace tfrt::profiler {

// A set of counters, one bit each.
using CounterSet = uint32_t;
inline constexpr CounterSet kAllCounters = (1u << kNumCpuCounters) - 1;
inline constexpr CounterSet kHardwareCounters = (1u << kNumHardwareCounters) - 1;
constexpr bool Has(CounterSet set, size_t counter) { return (set >> counter & 1) != 0; }

// The values of a group. First come how long it exists and how long its events had registers of the
// processor, in nanoseconds. Its available counters follow in their order.
struct GroupReading {
  static constexpr size_t kNumWords = 2 + kNumCpuCounters;
  std::array<uint64_t, kNumWords> words = {};
  uint64_t enabled_ns() const { return words[0]; }
  uint64_t running_ns() const { return words[1]; }
};

// One thread at a time.
class CounterGroup {
 public:
  CounterGroup() = default;
  CounterGroup(const CounterGroup&) = delete;
  CounterGroup& operator=(const CounterGroup&) = delete;
  ~CounterGroup() { Close(); }

  // Opens the available counters of `wanted` for the calling thread. Returns the set of these;
  // `errors` receives an errno for each of the others. `calls` is borrowed until Close.
  CounterSet Open(PerfCalls* calls, CounterSet wanted, std::array<int, kNumCpuCounters>* errors);
  void Close();
  bool is_open() const { return num_files_ > 0; }
  bool Read(GroupReading* reading) const;

 private:
  PerfCalls* calls_ = nullptr;
  std::array<int, kNumCpuCounters> files_ = {};
  size_t num_files_ = 0;
};

// Returns the counts of each counter of `set` between two readings of a group that has these. The
// counts are estimates if the group had registers for only a part of that time, and nullopt if it
// had none.
using CounterValues = std::array<uint64_t, kNumCpuCounters>;
std::optional<CounterValues> Difference(CounterSet set, const GroupReading& begin,
                                        const GroupReading& end, bool* is_estimate);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_COUNTER_GROUP_H_
