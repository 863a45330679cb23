// Experiment: the input of across-stack analyses. Profiles of many runs (of systems, models,
// batches, levels of recording and repetitions) become runs, which consist of layers and kernels.
// The runs of one program at one batch become a Subject with their joint results.
//
// Recording costs time. So the latency of a model is taken from runs without layers, and that of
// layers from runs without kernels. Values of different levels are never pooled. If no run has the
// right level, the next deeper one is used and a doubt reports it. Runs with counters (level
// "metrics") never give latencies.
#ifndef TFRT_LIB_PROFILER_ANALYSES_EXPERIMENT_H_
#define TFRT_LIB_PROFILER_ANALYSES_EXPERIMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lib/profiler/kernel_counts.h"
#include "statistics.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/intervals.h"
#include "tfrt/profiler/level.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

// The operations that something computes and the bytes that it moves.
struct Work {
  enum class Source : uint8_t {
    kNone,
    kFormula,  // from the op's shapes: operations of the algorithm, least bytes
    kCounter,  // counted by the machine
  };
  double flops = 0;
  double bytes_read = 0, bytes_written = 0;
  Source source = Source::kNone;

  bool is_known() const { return source != Source::kNone; }
  double bytes() const { return bytes_read + bytes_written; }
  // Adds. Two sources give the weaker one; an unknown one gives the other.
  Work& operator+=(const Work& other);
  friend bool operator==(const Work&, const Work&) = default;
};

// A kernel in one run.
struct KernelRun {
  std::string name;
  bool is_device = false;
  double latency_ns =
      0;  // how long any part of it ran: the measure of `intervals`, if there are any
  IntervalSet intervals = {};  // from the begin of the run; empty: unknown
  Work work = {};
  // For a device, the value of its counter. For processors, the number of busy threads divided by
  // that of the pool. From 0 to 1.
  std::optional<double> occupancy = {};
};

// A layer in one run.
struct LayerRun {
  int64_t id = 0;  // the same in all runs of the program: the number of the op in its graph
  std::string name;
  std::string op;     // "Conv"
  std::string shape;  // of its first result: "f32 [1,64,56,56]"
  double latency_ns = 0;
  Interval window = {};  // from the begin of the run; empty: unknown
  std::optional<double> allocated_bytes = {}, peak_bytes = {};
  Work work = {};  // by formula; its kernels hold the values of counters
  std::vector<KernelRun> kernels = {};
};

// The machine of a run, as far as it is known.
struct RunMachine {
  std::string processor;
  double peak_flops = 0;      // in single precision, per second
  double peak_bandwidth = 0;  // bytes per second
  std::string peak_source;    // "measured"
  double peak_flops_f64 = 0, peak_ops_int8 = 0, peak_flops_bf16 = 0;
  double peak_threads = 0;  // that the peaks hold for; 0: unknown
  double num_threads = 0;   // that the program computed with; 0: unknown
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
  std::vector<KernelRun> loose_kernels = {};  // of no layer, or of an unknown one
  std::vector<KernelCounts> counts = {};      // of runs with counters, by name
  std::vector<std::string> count_doubts = {};
  RunMachine machine = {};
  std::vector<std::string> doubts = {};
};

// The values of one quantity over the runs.
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

// Several kernels together. Latencies are how long any of them ran, not sums of overlapping times.
struct KernelTotal {
  std::string name;  // of all of them; empty: the names differ
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
  Work work;  // of its kernels' counters, otherwise by formula
  // From runs at level kernel: the layer's latency there and its kernels. The last two say how long
  // any of its kernels ran inside and outside of the layer's time.
  Measurement kernel_level_ns;
  KernelTotal kernels;
  Measurement covered_ns, spill_ns;
};

// A program at one batch on one system. Latencies are in nanoseconds.
struct Subject {
  std::string system, model;
  int64_t batch = 1;
  std::array<size_t, kNumLevels> num_runs = {};
  // The level of the runs that give latencies; empty: none.
  std::optional<Level> model_level, layer_level, kernel_level;

  Measurement latency_ns;
  // The model's latency in the runs of each level: the cost of recording.
  std::array<Measurement, kNumLevels> latency_by_level;
  std::vector<LayerSummary> layers;
  std::vector<KernelSummary> kernels;  // by layer and ordinal, last those of no layer
  std::vector<KernelTotal> by_name;    // longest first
  KernelTotal all_kernels;
  // Counts of all runs with counters together, by name; and their gaps, with reasons.
  std::vector<KernelCounts> counts;
  size_t num_counted_runs = 0;
  std::vector<std::string> count_doubts;
  Work work;  // of all kernels' counters, otherwise of all layers by formula
  RunMachine machine;
  std::vector<std::string> doubts;

  // Returns "resnet50, batch 4, tfrt 0.1.0".
  std::string Title() const;
  // Returns "8 runs at level layer"; "no run" without a level.
  std::string SourceText(std::optional<Level> level) const;
};

// Immutable.
class Experiment {
 public:
  // Returns the subjects, ordered by system, model and batch.
  std::span<const Subject> subjects() const { return subjects_; }
  std::span<const std::string> doubts() const { return doubts_; }

 private:
  friend class ExperimentBuilder;
  std::vector<Subject> subjects_;
  std::vector<std::string> doubts_;
};

class ExperimentBuilder {
 public:
  // Adds the runs of a profile. A run is each outermost `model.run`; without one, each `step`, each
  // outermost `function`, each outermost scope of level model, or the whole profile. Layers are
  // `layer`, otherwise `op`, otherwise `eager.call`, otherwise kernels; a layer inside of another
  // one is counted with that. Kernels are the innermost scopes of the levels kernel and device.
  // Events are assigned to layers by these rules:
  //  1. By parents and op ids.
  //  2. Device activity by the launch with its correlation id: the layer is the launch's.
  //  3. Events without a parent by time: inside of one layer of the same thread (a common begin or
  //     end counts as inside), or of one layer alone on others. An event inside of several belongs
  //     to none of them; a doubt counts it.
  void AddProfile(const Profile& profile);
  void AddRun(ModelRun run) { runs_.push_back(std::move(run)); }
  std::span<const ModelRun> runs() const { return runs_; }

  // Returns the experiment and leaves the builder empty.
  Experiment Build();

 private:
  std::vector<ModelRun> runs_;
  std::vector<std::string> doubts_;
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_EXPERIMENT_H_
