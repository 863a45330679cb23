// Metrics of eager execution: where the time of a step of eager ops went, M1 to M10. All are
// measures of sets of time, exact to the nanosecond; no two overlapping durations are ever added.
//
// A call of an op has eight phases: a arguments become tensors, b check and cache, c place, d copy
// inputs, e handles and node, f schedule; g dequeue and prepare, h run and publish results. SYNC
// calls have them all on the caller's thread, ASYNC ones g and h on an executor's.
#ifndef TFRT_PROFILER_EAGER_METRICS_H_
#define TFRT_PROFILER_EAGER_METRICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/trace.h"

namespace tfrt::profiler {

struct EagerOptions {
  // Which of the trace's scopes of type "step" is looked at, from 0; not given: one that takes as
  // long as steps do, the median (of an even number the shorter one in the middle). A trace without
  // steps is one step.
  std::optional<size_t> step = {};
  // Items of the step; 0: as the trace says.
  double batch = 0;
};

// What figures depend on and the trace does not have.
struct EagerDoubt {
  std::string figures;  // "M3, M4"
  std::string reason;   // "2 ops were enqueued and never left the queue"
  friend bool operator==(const EagerDoubt&, const EagerDoubt&) = default;
};

// The life of one op.
struct EagerOp {
  uint64_t id = 0;
  std::string name;       // "tf.MatMul"
  std::string device;     // where it ran; empty: it did not, or nobody says
  bool is_call = false;   // called by the program; otherwise a copy or constant for such a call
  bool is_async = false;  // phases g and h are an executor's
  bool is_in_step = true;
  // It has kernels there, if only ones that began and ended at the same reading of the clock.
  bool runs_on_cpu = false, runs_on_gpu = false;
  IntervalSet enqueue;  // E: phases a to f, without stalls
  IntervalSet dequeue;  // D: phases g and h, without kernels, copies and stalls
  IntervalSet cpu;      // C: its kernels on CPUs
  IntervalSet gpu;      // G: its kernels on devices with streams
  IntervalSet copies;   // X
  IntervalSet stalls;   // S: the caller waited for a value
  int64_t begin_ns = 0;
  // The op is in the queue from `enqueued_ns` until `dequeued_ns`; equal for SYNC calls.
  int64_t enqueued_ns = 0;
  int64_t dequeued_ns = 0;
  // When a kernel was launched that a device with streams runs later.
  std::optional<int64_t> launched_ns = {};
  int64_t ready_ns = 0;  // its last event was over, and its results were there
};

// A step: what is between its first op's call and its last event.
struct EagerStep {
  std::vector<EagerOp> ops;  // of the whole trace, by begin
  Interval window;           // W; empty without ops
  // Of all ops and of none, clipped to the window.
  IntervalSet enqueue, dequeue, cpu, gpu, copies, stalls;
  // Threads that took ops from a queue.
  size_t num_executors = 0;
  std::vector<EagerDoubt> doubts;
};
EagerStep ExtractEagerStep(const Trace& trace, const EagerOptions& options = {});

// Over ops, in nanoseconds. A quantile is the smallest value that at least that part of the ops do
// not exceed.
struct EagerDistribution {
  size_t num_ops = 0;
  int64_t min_ns = 0, p25_ns = 0, p50_ns = 0, p75_ns = 0, p95_ns = 0, p99_ns = 0, max_ns = 0;
  double mean_ns = 0;
};

// What an instant counts as, in the order of priority.
enum class EagerActivity : uint8_t { kGpu, kCpu, kDequeue, kCopy, kWaiting };
inline constexpr size_t kNumEagerActivities = 5;

// The part of the window in which the queue was empty, or was not.
struct EagerConditional {
  int64_t total_ns = 0;
  std::array<int64_t, kNumEagerActivities> ns = {};
  int64_t of(EagerActivity activity) const { return ns[static_cast<size_t>(activity)]; }
  // M9: the time in which only waiting, or only waiting and copies, went on.
  int64_t waiting_ns() const { return of(EagerActivity::kWaiting); }
  int64_t waiting_with_copies_ns() const { return waiting_ns() + of(EagerActivity::kCopy); }
};

// Why no kernel ran and no executor worked: the queue was empty because the caller was in phases a
// to f of an op, or copied, or waited for a value, or was in the program's own code; or it was not,
// and a copy went on, or the executor waited for an argument, or had yet to take the op.
enum class EagerCause : uint8_t { kEnqueue, kCopy, kStall, kArgument, kWakeUp, kProgram };
inline constexpr size_t kNumEagerCauses = 6;

// M10, of one op.
struct EagerCulprit {
  size_t op = 0;  // index in EagerStep::ops
  uint64_t id = 0;
  std::string name, device;
  int64_t host_ns = 0;                                 // |E or D|
  int64_t queue_ns = 0;                                // in the queue
  std::optional<int64_t> launch_delay_ns = {};         // from launch to start on the device
  std::array<int64_t, kNumEagerCauses> by_cause = {};  // exposed time that it is to blame for
  int64_t exposed_ns() const {
    int64_t sum = 0;
    for (int64_t part : by_cause) sum += part;
    return sum;
  }
};

struct EagerMetrics {
  int64_t window_ns = 0;  // |W|
  size_t num_ops = 0;     // that the program called in the step
  size_t num_executors = 0;
  // M1. gpu + cpu + overhead are the window; `both` is counted in gpu.
  int64_t gpu_ns = 0, cpu_ns = 0, overhead_ns = 0, both_ns = 0;
  // M2. Items of the step; 0: not known.
  double batch = 0;
  // M3. Over the called ops that have the phase: enqueue is all calls', and as kernels on a CPU or
  // device 0 where the clock did not move; dequeue is a part of the kernel of a call that ends
  // with it.
  EagerDistribution enqueue, dequeue, gpu, cpu;
  // M4. How many ops are in the queue from here until the next point; times from the window's
  // begin. And when callers stalled, and copies ran.
  struct QueuePoint {
    int64_t time_ns = 0;
    int64_t depth = 0;
    friend bool operator==(const QueuePoint&, const QueuePoint&) = default;
  };
  std::vector<QueuePoint> queue;
  std::vector<Interval> stalls, copies;
  // M5, M6 (the totals), M9.
  EagerConditional while_empty, while_not_empty;
  // M7. Exposed: no kernel ran, and no executor was at work.
  int64_t masked_by_kernel_ns = 0, masked_by_executor_ns = 0, exposed_ns = 0;
  // M8. Parts of the exposed time, and in how much of them callers stalled, or copies ran.
  int64_t exposed_empty_ns = 0, exposed_empty_stalled_ns = 0;
  int64_t exposed_not_empty_ns = 0, exposed_not_empty_copying_ns = 0;
  // M10. Of the ops that are to blame, also if they are another step's, or that took time of the
  // step on the host, the worst first; and what nobody is to blame for: behind the last op.
  std::vector<EagerCulprit> culprits;
  int64_t unattributed_ns = 0;
  std::vector<EagerDoubt> doubts;

  // 0 for an empty window.
  double ShareOfWindow(int64_t ns) const {
    return window_ns > 0 ? static_cast<double>(ns) / static_cast<double>(window_ns) : 0;
  }
  double kernel_share() const { return ShareOfWindow(gpu_ns + cpu_ns); }
  // Nothing if the number of items is not known.
  std::optional<double> time_per_item_ns() const {
    if (batch <= 0) return std::nullopt;
    return static_cast<double>(window_ns) / batch;
  }
};
EagerMetrics ComputeEagerMetrics(const EagerStep& step, double batch);
EagerMetrics ComputeEagerMetrics(const Trace& trace, const EagerOptions& options = {});

// One of several traces that are compared.
struct EagerRun {
  std::string model, target, mode;
  EagerMetrics metrics;
};
// Names it by the trace's properties; target and mode, where they are not given, by what ran.
EagerRun ComputeEagerRun(const Trace& trace, const EagerOptions& options = {});

// What is expected of every model, target and mode as batches grow.
struct EagerLaw {
  enum class Kind : uint8_t { kKernelShareRises, kHostPhasesStay, kTimePerItemFalls };
  enum class Verdict : uint8_t {
    kHolds,
    kHoldsWithTies,  // some neighbours differ by at most 2 %
    kFails,
    kUnknown,  // fewer than two batches, or the trace does not say
  };
  Kind kind = Kind::kKernelShareRises;
  std::string model, target, mode;
  std::string phase;            // of kHostPhasesStay: "enqueue" or "dequeue"
  std::vector<double> batches;  // growing
  // Of the batches: the share, the phase's median or the time per item, in nanoseconds; of several
  // runs with one batch, their median.
  std::vector<double> values;
  std::vector<bool> ties;  // of a batch and the one before; the first has none
  Verdict verdict = Verdict::kUnknown;
  std::string reason;  // of kFails and kUnknown
};
// Medians of host phases stay if all are within 20 % of one value.
std::vector<EagerLaw> CheckEagerLaws(std::span<const EagerRun> runs);

// Tables and charts of M1 to M10 and of the laws.
Section EagerSection(std::span<const EagerRun> runs);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_EAGER_METRICS_H_
