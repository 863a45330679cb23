// The machine under the program: the peak rates of its processors, computed and measured, and its
// counters.
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

// Determines how much a core computes per cycle.
struct VectorUnits {
  enum class Kind : uint8_t { kScalar, kSse, kAvx2, kAvx512, kNeon };
  Kind kind = Kind::kScalar;
  // True if 512 bits take two cycles, or if there is only one unit for them.
  bool has_half_rate_512 = false;
  bool has_int8_dot_products = false;
};
std::string_view VectorUnitsName(VectorUnits::Kind kind);  // "AVX-512"

// Operations of one core per cycle; an addition and a multiplication are two operations. If the
// number of units is unknown, two that multiply and add are assumed, as in server processors.
struct OperationsPerCycle {
  double f32 = 0, f64 = 0;
  double int8 = 0;  // by instructions for dot products; 0 without them
};
OperationsPerCycle OperationsPerCycleOf(const VectorUnits& units);

struct Processor {
  std::string name;        // its own name for itself
  size_t num_cores = 1;    // that this process may use; threads of one core count once
  size_t num_threads = 1;  // that it may use
  // The most processor time, in processors, that the process's control groups allow; 0: no limit.
  double cpu_quota = 0;
  VectorUnits units;
  double clock_hz = 0;
  std::string clock_source;            // "highest of the system", "base of cpuid", "measured"
  int64_t last_level_cache_bytes = 0;  // 0: unknown
};
// Returns the largest number of threads that compute at once: the cores, or the part of them that
// the quota allows.
double UsableCores(const Processor& processor);
// Takes up to 10 ms where the clock must be measured.
Processor DescribeProcessor();

// Peak rates in operations and bytes per second; 0: unknown.
struct Peaks {
  double f32 = 0, f64 = 0, int8 = 0;
  double bandwidth = 0;
  size_t num_threads = 0;          // that they hold for
  std::string source;              // "computed", "measured"
  std::vector<std::string> notes;  // how they are obtained, and where they hold
};
// Returns vector width times units times usable cores times clock; no bandwidth.
Peaks ComputePeaks(const Processor& processor);

struct MeasureOptions {
  size_t num_threads = 0;    // 0: one per core, but no more than the quota allows
  double seconds = 0.3;      // in total, approximately; between 0.01 and 0.5
  int64_t memory_bytes = 0;  // of the triad's three arrays; 0: four times the last-level cache
};
// Measures multiplications and additions in registers, and a triad a[i] = b[i] + s * c[i] over
// memory. All threads run at once, for at most `seconds` plus the time to get the memory. A triad
// moves three numbers per element; the additional reads of processors that read memory before they
// write it are not counted. Arithmetic is timed by each thread's own clock: other programs that run
// meanwhile only lower the bandwidth. Takes half a second of all cores, so keep the result.
Peaks MeasurePeaks(const Processor& processor, const MeasureOptions& options = {});

// Returns "f32, measured" and so on, for known values. Computed peaks get the measured bandwidth.
std::vector<Chart::Roof> RoofsOf(const Peaks& measured, const Peaks& computed);

// A counter of the processor, and its value or the reason for its absence.
struct CounterValue {
  std::string name;  // "cycles"
  std::optional<uint64_t> value;
  std::string reason;  // without a value: "the system has no such event (ENOENT)"
};

// Counters of the calling thread and of threads that it starts from now on. Every counter is
// optional: virtual machines mostly have none. One thread at a time.
class ProcessCounters {
 public:
  ProcessCounters();
  ProcessCounters(const ProcessCounters&) = delete;
  ProcessCounters& operator=(const ProcessCounters&) = delete;
  ~ProcessCounters();

  // Returns whether any of them counts.
  bool is_available() const;
  // Returns values since construction, estimated where several share a register. The result always
  // holds all names, in one order.
  std::vector<CounterValue> Read() const;

 private:
  struct Counter {
    std::string name;
    int fd = -1;
    std::string reason;
    uint64_t operations = 0;  // for floating-point counters: operations per event
  };
  std::vector<Counter> counters_;
};
// Returns the floating-point operations that the counters stand for; nullopt if they are missing.
std::optional<double> CountedFlops(std::span<const CounterValue> values);
// Explains an errno of perf_event_open to a user.
std::string CounterFailureText(int error_number);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_MACHINE_H_
