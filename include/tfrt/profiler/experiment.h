// Experiment: what across-stack analyses read. Traces of many runs (of systems, models, batches,
// levels of recording and repetitions) become runs, these of layers and kernels; the runs of one
// program at one batch become a Subject, what they say together.
//
// Recording costs time: so the latency of a model is taken from runs without layers, that of layers
// from runs without kernels. Values of different levels are never pooled; where there is no run of
// the right level, the next deeper one takes its place and a doubt says so. Runs with counters
// (level "metrics") never give latencies.
#ifndef TFRT_PROFILER_EXPERIMENT_H_
#define TFRT_PROFILER_EXPERIMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/kernel_counts.h"
#include "tfrt/profiler/level.h"
#include "tfrt/profiler/statistics.h"
#include "tfrt/profiler/trace.h"

namespace tfrt::profiler {

// What something computes and moves.
struct Work {
  enum class Source : uint8_t {
    kNone,
    kFormula,  // of the op's shapes: operations of the algorithm, bytes at least
    kCounter,  // counted by the machine
  };
  double flops = 0;
  double bytes_read = 0, bytes_written = 0;
  Source source = Source::kNone;

  bool is_known() const { return source != Source::kNone; }
  double bytes() const { return bytes_read + bytes_written; }
  // Sums; of two sources the weaker one, of one that is unknown the other.
  Work& operator+=(const Work& other);
  friend bool operator==(const Work&, const Work&) = default;
};

// A kernel in one run.
struct KernelRun {
  std::string name;
  bool is_device = false;
  double latency_ns =
      0;  // how long any part of it ran: the measure of `intervals`, if there are any
  IntervalSet intervals = {};  // from the begin of the run; empty: not known
  Work work = {};
  // Of the device, as its counter says; of processors, the threads that were busy over those of the
  // pool. From 0 to 1.
  std::optional<double> occupancy = {};
};

// A layer in one run.
struct LayerRun {
  int64_t id = 0;  // the same in all runs of the program: the number of the op in its graph
  std::string name;
  std::string op;     // "Conv"
  std::string shape;  // of its first result: "f32 [1,64,56,56]"
  double latency_ns = 0;
  Interval window = {};  // from the begin of the run; empty: not known
  std::optional<double> allocated_bytes = {}, peak_bytes = {};
  Work work = {};  // by formula; what its kernels' counters say is in these
  std::vector<KernelRun> kernels = {};
};

// What a run was made on, as far as it is known.
struct RunMachine {
  std::string processor;
  double peak_flops = 0;      // in single precision, a second
  double peak_bandwidth = 0;  // bytes a second
  std::string peak_source;    // "measured"
  double peak_flops_f64 = 0, peak_ops_int8 = 0;
  double peak_threads = 0;  // that the peaks hold for; 0: not known
  double num_threads = 0;   // that the program computed with; 0: not known
  friend bool operator==(const RunMachine&, const RunMachine&) = default;
};

// One repetition. Plain data: translators of other files may make it themselves.
struct ModelRun {
  std::string system;  // "tfrt 0.1.0, cpu"
  std::string model;
  int64_t batch = 1;
  Level level = Level::kKernel;
  int64_t repetition = 0;
  double latency_ns = 0;
  std::vector<LayerRun> layers = {};          // in execution order
  std::vector<KernelRun> loose_kernels = {};  // of no layer, or nobody knows of which
  std::vector<KernelCounts> counts = {};      // of runs with counters, by name
  std::vector<std::string> count_doubts = {};
  RunMachine machine = {};
  std::vector<std::string> doubts = {};
};

// What the runs say of one quantity.
struct Measurement {
  TrimmedMean summary;
  std::vector<double> samples;  // in the order of the runs

  Measurement() = default;
  explicit Measurement(std::vector<double> values)
      : summary(TrimmedMeanOf(values)), samples(std::move(values)) {}
  bool is_known() const { return summary.n > 0; }
  double value() const { return summary.mean; }
};

inline constexpr size_t kNoLayer = ~size_t{0};

struct KernelSummary {
  std::string name;
  size_t layer = kNoLayer;  // in Subject::layers
  size_t ordinal = 0;       // within the layer
  bool is_device = false;
  Measurement latency_ns;
  Work work;
  std::optional<double> occupancy;
};

// Several kernels together. Latencies are how long any of them ran, not sums of what overlaps.
struct KernelTotal {
  std::string name;  // of all of them; empty: of different names
  size_t count = 0;
  bool is_device = false;  // any of them
  Measurement latency_ns;
  Work work;
  std::optional<double> occupancy;  // weighted by latency
};

struct LayerSummary {
  size_t index = 0;  // in execution order
  std::string name, op, shape;
  Measurement latency_ns;  // of runs at level layer
  Measurement allocated_bytes, peak_bytes;
  Work work;  // of its kernels' counters, else by formula
  // Of runs at level kernel: the layer's latency there, its kernels, how long any kernel of it ran
  // while the layer did, and outside of that time.
  Measurement kernel_level_ns;
  KernelTotal kernels;
  Measurement covered_ns, spill_ns;
};

// A program at one batch on one system. Latencies in nanoseconds.
struct Subject {
  std::string system, model;
  int64_t batch = 1;
  std::array<size_t, kNumLevels> num_runs = {};
  // From which runs latencies are; empty: from none.
  std::optional<Level> model_level, layer_level, kernel_level;

  Measurement latency_ns;
  // The model's latency in the runs of each level: what recording costs.
  std::array<Measurement, kNumLevels> latency_by_level;
  std::vector<LayerSummary> layers;
  std::vector<KernelSummary> kernels;  // by layer and ordinal, at last those of no layer
  std::vector<KernelTotal> by_name;    // longest first
  KernelTotal all_kernels;
  // Of all runs with counters together, by name; what they lack, and why.
  std::vector<KernelCounts> counts;
  size_t num_counted_runs = 0;
  std::vector<std::string> count_doubts;
  Work work;  // of all kernels' counters, else of all layers by formula
  RunMachine machine;
  std::vector<std::string> doubts;

  // "resnet50, batch 4, tfrt 0.1.0"
  std::string Title() const;
  // "8 runs at level layer"; "no run" without a level.
  std::string SourceText(std::optional<Level> level) const;
};

// Immutable.
class Experiment {
 public:
  // By system, model and batch.
  std::span<const Subject> subjects() const { return subjects_; }
  // Null: none.
  const Subject* Find(std::string_view system, std::string_view model, int64_t batch) const;
  std::span<const std::string> doubts() const { return doubts_; }

 private:
  friend class ExperimentBuilder;
  std::vector<Subject> subjects_;
  std::vector<std::string> doubts_;
};

// What is better known than from the trace; empty, 0: as in the trace.
struct RunLabels {
  std::string system = {}, model = {};
  int64_t batch = 0;
  std::optional<Level> level = {};
};

class ExperimentBuilder {
 public:
  // Its runs: each outermost `model.run`; if there is none, each `step`, each outermost `function`,
  // each outermost scope of level model, or the whole trace. Their layers: `layer`, else `op`, else
  // `eager.call`, else kernels; one that is inside of another one counts with that. Kernels are the
  // innermost scopes of the levels kernel and device. What belongs to which layer is known
  //  1. by parents and op ids,
  //  2. of device activity, by the launch with its correlation id: the layer is the launch's,
  //  3. of what has no parent, by time: inside of one layer of the same thread (having its begin or
  //     end in common is inside), or of one layer alone on others. What is inside of several is of
  //     none of them; a doubt counts it.
  void AddTrace(const Trace& trace, const RunLabels& labels = {});
  void AddRun(ModelRun run) { runs_.push_back(std::move(run)); }
  std::span<const ModelRun> runs() const { return runs_; }

  // The builder is empty again.
  Experiment Build();

 private:
  std::vector<ModelRun> runs_;
  std::vector<std::string> doubts_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_EXPERIMENT_H_
