// The machine under the program: what its processors can do at most, by what they are and as
// measured, and its counters.
#ifndef TFRT_PROFILER_MACHINE_H_
#define TFRT_PROFILER_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// What decides how much a core computes in a cycle.
struct VectorUnits {
  enum class Kind : uint8_t { kScalar, kSse, kAvx2, kAvx512, kNeon };
  Kind kind = Kind::kScalar;
  // 512 bits take two cycles, or there is only one unit for them.
  bool has_half_rate_512 = false;
  bool has_int8_dot_products = false;
};
std::string_view VectorUnitsName(VectorUnits::Kind kind);  // "AVX-512"

// Of one core in a cycle; an addition and a multiplication are two operations. Where the number of
// units is not known to the program, two that multiply and add are assumed, as in server
// processors.
struct OperationsPerCycle {
  double f32 = 0, f64 = 0;
  double int8 = 0;  // by instructions for dot products; 0 without them
};
OperationsPerCycle OperationsPerCycleOf(const VectorUnits& units);

struct Processor {
  std::string name;        // as it calls itself
  size_t num_cores = 1;    // that this process may use; threads of one core are one
  size_t num_threads = 1;  // that it may use
  // Processors' worth of time that the process's control groups give it at most; 0: no limit.
  double cpu_quota = 0;
  VectorUnits units;
  double clock_hz = 0;
  std::string clock_source;            // "highest of the system", "base of cpuid", "measured"
  int64_t last_level_cache_bytes = 0;  // 0: not known
};
// The number of threads that compute at once, at most: the cores, or as much of them as the quota
// gives.
double UsableCores(const Processor& processor);
// Takes up to 10 ms where the clock must be measured.
Processor DescribeProcessor();

// In operations and bytes a second; 0: not known.
struct Peaks {
  double f32 = 0, f64 = 0, int8 = 0;
  double bandwidth = 0;
  size_t num_threads = 0;          // that they hold for
  std::string source;              // "computed", "measured"
  std::vector<std::string> notes;  // how they come about, and what they hold for
};
// Vector width times units times usable cores times clock; no bandwidth.
Peaks ComputePeaks(const Processor& processor);

struct MeasureOptions {
  size_t num_threads = 0;    // 0: one a core, but no more than the quota feeds
  double seconds = 0.3;      // in all, about; between 0.01 and 0.5
  int64_t memory_bytes = 0;  // of the triad's three arrays; 0: four times the last-level cache
};
// Multiplications and additions in registers, and a triad a[i] = b[i] + s * c[i] over memory, by
// all threads at once, for at most `seconds` and the time to get the memory. A triad moves three
// numbers an element; that some processors read what they are about to write is not counted.
// Arithmetic is timed by each thread's own clock: what other programs do meanwhile lowers the
// bandwidth alone. It takes half a second of all cores, so keep what it says.
Peaks MeasurePeaks(const Processor& processor, const MeasureOptions& options = {});

// "f32, measured" and so on, of what is known. Computed peaks get the measured bandwidth.
std::vector<Chart::Roof> RoofsOf(const Peaks& measured, const Peaks& computed);

// A counter of the processor, and its value or why there is none.
struct CounterValue {
  std::string name;  // "cycles"
  std::optional<uint64_t> value;
  std::string reason;  // of none: "the system has no such event (ENOENT)"
};

// Counters of the calling thread and of threads that it starts from now on. Every counter is
// optional: virtual machines mostly have none. One thread at a time.
class ProcessCounters {
 public:
  ProcessCounters();
  ProcessCounters(const ProcessCounters&) = delete;
  ProcessCounters& operator=(const ProcessCounters&) = delete;
  ~ProcessCounters();

  // Whether any of them counts.
  bool is_available() const;
  // Since construction, estimated where several share a register. Always all names, in one order.
  std::vector<CounterValue> Read() const;

 private:
  struct Counter {
    std::string name;
    int fd = -1;
    std::string reason;
    uint64_t operations = 0;  // of floating-point counters: what one event stands for
  };
  std::vector<Counter> counters_;
};
// Operations of floating-point numbers that the counters stand for; empty if they do not tell.
std::optional<double> CountedFlops(std::span<const CounterValue> values);
// What an errno of perf_event_open means for a user.
std::string CounterFailureText(int error_number);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_MACHINE_H_
