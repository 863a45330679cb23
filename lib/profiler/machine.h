// The machine under the program: the measured peak rates of its processors, and its counters.
#ifndef TFRT_LIB_PROFILER_MACHINE_H_
#define TFRT_LIB_PROFILER_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfrt::profiler {

// The vector instructions of a core.
struct VectorUnits {
  enum class Kind : uint8_t { kScalar, kSse, kAvx2, kAvx512, kNeon };
  Kind kind = Kind::kScalar;
  bool has_int8_dot_products = false;
  bool has_bf16_dot_products = false;
  // Products of whole matrices of such numbers. Needs a system that keeps their registers.
  bool has_int8_tiles = false, has_bf16_tiles = false;
};
std::string_view VectorUnitsName(VectorUnits::Kind kind);  // "AVX-512"

struct Processor {
  std::string name;        // its own name for itself
  size_t num_cores = 1;    // that this process may use; threads of one core count once
  size_t num_threads = 1;  // that it may use
  // The most processor time, in processors, that the process's control groups allow; 0: no limit.
  double cpu_quota = 0;
  VectorUnits units;
  int64_t last_level_cache_bytes = 0;  // 0: unknown
};
// Returns the largest number of threads that compute at once: the cores, or the part of them that
// the quota allows.
double UsableCores(const Processor& processor);
Processor DescribeProcessor();

// Peak rates in operations and bytes per second; 0: unknown.
struct Peaks {
  double f32 = 0, f64 = 0;
  // By the instructions for such products that are the fastest. Without those of bf16, which is
  // then computed in f32, its rate is unknown.
  double int8 = 0, bf16 = 0;
  double bandwidth = 0;
  size_t num_threads = 0;          // that they hold for
  std::string source;              // "measured"
  std::vector<std::string> notes;  // how they are obtained, and where they hold
};

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

// Whether a counter of the processor counts for this thread and those that it starts.
struct ProcessCounter {
  std::string name;    // "cycles"
  std::string reason;  // why not: "the system has no such event (ENOENT)"; empty: it does
};
// Returns all counters, in one order. Every one is optional: virtual machines mostly have none.
std::vector<ProcessCounter> ExamineProcessCounters();
// Explains an errno of perf_event_open to a user.
std::string CounterFailureText(int error_number);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_MACHINE_H_
