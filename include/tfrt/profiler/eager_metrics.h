// Metrics of eager execution, M1 to M10: they show where a step of eager ops spends its time. All
// are measures of sets of time, exact to the nanosecond. Overlapping durations are never added.
//
// A call of an op has eight phases. Phases a to f are: a arguments become tensors, b check and
// cache, c place, d copy inputs, e handles and node, f schedule. The others are: g dequeue and
// prepare, h run and publish results. SYNC calls run all on the caller's thread, ASYNC ones run g
// and h on an executor's.
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
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

struct EagerOptions {
  // The number of the scope of type "step" to analyse, from 0. Unset: a step of median duration (of
  // an even number the shorter one in the middle). A profile without steps is one step.
  std::optional<size_t> step = {};
  // Items of the step; 0: as in the profile.
  double batch = 0;
};

// A reason why some figures lack data in the profile.
struct EagerDoubt {
  std::string figures;  // "M3, M4"
  std::string reason;   // "2 ops were enqueued and never left the queue"
  friend bool operator==(const EagerDoubt&, const EagerDoubt&) = default;
};

// The life of one op.
struct EagerOp {
  uint64_t id = 0;
  std::string name;       // "tf.MatMul"
  std::string device;     // where it ran; empty: it did not, or the place is unknown
  bool is_call = false;   // called by the program; otherwise a copy or constant for such a call
  bool is_async = false;  // phases g and h ran on an executor
  bool is_in_step = true;
  // It has kernels there, even if they all began and ended at the same reading of the clock.
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
  // The launch time of a kernel that a device with streams runs later.
  std::optional<int64_t> launched_ns = {};
  int64_t ready_ns = 0;  // when its last event was over and its results were available
};

// A step: the time between its first op's call and its last event.
struct EagerStep {
  std::vector<EagerOp> ops;  // of the whole profile, ordered by begin
  Interval window;           // W; empty without ops
  // Sets of all ops and of events without op, clipped to the window.
  IntervalSet enqueue, dequeue, cpu, gpu, copies, stalls;
  // The number of threads that took ops from a queue.
  size_t num_executors = 0;
  std::vector<EagerDoubt> doubts;
};
EagerStep ExtractEagerStep(const Profile& profile, const EagerOptions& options = {});

// A distribution over ops, in nanoseconds. A quantile is the smallest value that at least this part
// of the ops do not exceed.
struct EagerDistribution {
  size_t num_ops = 0;
  int64_t min_ns = 0, p25_ns = 0, p50_ns = 0, p75_ns = 0, p95_ns = 0, p99_ns = 0, max_ns = 0;
  double mean_ns = 0;
};

// The class of an instant, in order of priority.
enum class EagerActivity : uint8_t { kGpu, kCpu, kDequeue, kCopy, kWaiting };
inline constexpr size_t kNumEagerActivities = 5;

// The part of the window in which the queue was empty, or was not.
struct EagerConditional {
  int64_t total_ns = 0;
  std::array<int64_t, kNumEagerActivities> ns = {};
  int64_t of(EagerActivity activity) const { return ns[static_cast<size_t>(activity)]; }
  // M9: the time of waiting alone, or of waiting and copies alone.
  int64_t waiting_ns() const { return of(EagerActivity::kWaiting); }
  int64_t waiting_with_copies_ns() const { return waiting_ns() + of(EagerActivity::kCopy); }
};

// Why no kernel ran and no executor worked. If the queue was empty, the caller was in phases a to f
// of an op, copied, waited for a value, or ran program code. If it was not, a copy was in flight,
// or the executor waited for an argument, or it had not yet taken the op.
enum class EagerCause : uint8_t { kEnqueue, kCopy, kStall, kArgument, kWakeUp, kProgram };
inline constexpr size_t kNumEagerCauses = 6;

// M10, for one op.
struct EagerCulprit {
  size_t op = 0;  // index in EagerStep::ops
  uint64_t id = 0;
  std::string name, device;
  int64_t host_ns = 0;                                 // |E or D|
  int64_t queue_ns = 0;                                // in the queue
  std::optional<int64_t> launch_delay_ns = {};         // from launch to start on the device
  std::array<int64_t, kNumEagerCauses> by_cause = {};  // exposed time that the op causes
  int64_t exposed_ns() const {
    int64_t sum = 0;
    for (int64_t part : by_cause) sum += part;
    return sum;
  }
};

struct EagerMetrics {
  int64_t window_ns = 0;  // |W|
  size_t num_ops = 0;     // called by the program in the step
  size_t num_executors = 0;
  // M1. gpu + cpu + overhead are the window; `both` is counted in gpu.
  int64_t gpu_ns = 0, cpu_ns = 0, overhead_ns = 0, both_ns = 0;
  // M2. Items of the step; 0: unknown.
  double batch = 0;
  // M3. Distributions over the called ops that have the phase. All calls have `enqueue`. Kernels on
  // a CPU or device count as 0 where the clock did not move. Dequeue is a part of the kernel of a
  // call that ends with it.
  EagerDistribution enqueue, dequeue, gpu, cpu;
  // M4. The number of ops in the queue from this point until the next; times count from the
  // window's begin. The intervals of the callers' stalls and of copies follow.
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
  // M8. Parts of the exposed time, and how much of them callers stalled, or copies ran.
  int64_t exposed_empty_ns = 0, exposed_empty_stalled_ns = 0;
  int64_t exposed_not_empty_ns = 0, exposed_not_empty_copying_ns = 0;
  // M10. Ops that caused exposed time, even of another step, or that took time of the step on the
  // host; the worst first. No op causes the remaining time, which is after the last op.
  std::vector<EagerCulprit> culprits;
  int64_t unattributed_ns = 0;
  std::vector<EagerDoubt> doubts;

  // Returns 0 for an empty window.
  double ShareOfWindow(int64_t ns) const {
    return window_ns > 0 ? static_cast<double>(ns) / static_cast<double>(window_ns) : 0;
  }
  double kernel_share() const { return ShareOfWindow(gpu_ns + cpu_ns); }
  // Returns nullopt if the number of items is unknown.
  std::optional<double> time_per_item_ns() const {
    if (batch <= 0) return std::nullopt;
    return static_cast<double>(window_ns) / batch;
  }
};
EagerMetrics ComputeEagerMetrics(const EagerStep& step, double batch);
EagerMetrics ComputeEagerMetrics(const Profile& profile, const EagerOptions& options = {});

// One of several profiles that are compared.
struct EagerRun {
  std::string model, target, mode;
  EagerMetrics metrics;
};
// Names the run by the profile's properties. Missing target and mode are derived from the events.
EagerRun ComputeEagerRun(const Profile& profile, const EagerOptions& options = {});

// A law that every model, target and mode should obey as batches grow.
struct EagerLaw {
  enum class Kind : uint8_t { kKernelShareRises, kHostPhasesStay, kTimePerItemFalls };
  enum class Verdict : uint8_t {
    kHolds,
    kHoldsWithTies,  // some neighbours differ by at most 2 %
    kFails,
    kUnknown,  // fewer than two batches, or missing in the profile
  };
  Kind kind = Kind::kKernelShareRises;
  std::string model, target, mode;
  std::string phase;            // for kHostPhasesStay: "enqueue" or "dequeue"
  std::vector<double> batches;  // ascending
  // One value for each batch: the share, the phase's median or the time per item, in nanoseconds.
  // Several runs with one batch give their median.
  std::vector<double> values;
  std::vector<bool> ties;  // of a batch and the one before; the first has none
  Verdict verdict = Verdict::kUnknown;
  std::string reason;  // for kFails and kUnknown
};
// Checks the laws. Medians of host phases stay if all are within 20 % of one value.
std::vector<EagerLaw> CheckEagerLaws(std::span<const EagerRun> runs);

// Returns tables and charts of M1 to M10 and of the laws.
Section EagerSection(std::span<const EagerRun> runs);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_EAGER_METRICS_H_
