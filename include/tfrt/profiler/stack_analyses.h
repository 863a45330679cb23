// Across-stack analyses: from an Experiment to sections of a report, on model, layer and kernel
// level. They are the same for processors and devices, and for traces of other systems; what a
// trace does not hold is an empty cell, and what is doubtful is said with the table.
#ifndef TFRT_PROFILER_STACK_ANALYSES_H_
#define TFRT_PROFILER_STACK_ANALYSES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/profiler/experiment.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

struct AnalysisOptions {
  // Only subjects of these; empty, 0: all.
  std::string system = {}, model = {};
  int64_t batch = 0;
  size_t top = 10;               // how many rows of long tables readers see at first
  double latency_target_ms = 0;  // for the largest batch that keeps it; 0: none
  // The first one says what is bound by memory. Empty: as the traces say of their machine.
  std::vector<Chart::Roof> roofs = {};
  std::string baseline = {};  // the system that others are compared with; empty: the first one
};

// A batch and what is measured there.
struct BatchPoint {
  int64_t batch = 1;
  double latency_ns = 0;
  // Items a second.
  double throughput() const {
    return latency_ns > 0 ? static_cast<double>(batch) / latency_ns * 1e9 : 0;
  }
};

// There is not one best batch.
struct BestBatches {
  // The smallest one that, doubled, gives at most 5 % more items a second; empty: not saturated, as
  // far as batches were measured.
  std::optional<int64_t> saturating;
  std::optional<int64_t> fastest;         // with most items a second; of several the smallest
  std::optional<int64_t> within_latency;  // the largest one that keeps the latency
};
BestBatches FindBestBatches(std::span<const BatchPoint> points, double latency_target_ns = 0);

// Convolutions of any kind, by their op's name: "Conv", "tf.Conv2D", "aten::convolution".
bool IsConvolution(std::string_view op);

// What roofs hold for this subject: the options', else those of its machine.
std::vector<Chart::Roof> RoofsFor(const Subject& subject, const AnalysisOptions& options);

struct StackAnalysis {
  int number;  // 1 to 15; further ones from 16
  std::string_view id;
  std::string_view title;
  Level level;  // the deepest one that it needs
  Section (*run)(const Experiment&, const AnalysisOptions&);
};
// By number.
std::span<const StackAnalysis> StackAnalyses();
// Null: none has this number.
const StackAnalysis* FindStackAnalysis(int number);

// Model level.
Section AnalyzeBatches(const Experiment& experiment, const AnalysisOptions& options = {});  // 1
// Layer level.
Section AnalyzeLayers(const Experiment& experiment, const AnalysisOptions& options = {});  // 2
Section AnalyzeLayerLatency(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeLayerMemory(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeLayerTypes(const Experiment& experiment, const AnalysisOptions& options = {});  // 5
Section AnalyzeLatencyByType(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeMemoryByType(const Experiment& experiment, const AnalysisOptions& options = {});
// Kernel level.
Section AnalyzeKernels(const Experiment& experiment, const AnalysisOptions& options = {});  // 8
Section AnalyzeKernelRoofline(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeKernelsByName(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeKernelsByLayer(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeLayerWork(const Experiment& experiment, const AnalysisOptions& options = {});  // 12
Section AnalyzeKernelShare(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeLayerRoofline(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeModels(const Experiment& experiment, const AnalysisOptions& options = {});  // 15
// Further ones, from 16: how much of the latency is in convolutions; how throughput grows with the
// batch; where in the model latency, memory and work are; systems beside each other; many models
// under one roof; all models, batches and systems in one table; what recording costs; what
// counters say of kernels.
Section AnalyzeConvolutions(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeSpeedUp(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeStages(const Experiment& experiment, const AnalysisOptions& options = {});
Section CompareSystems(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeModelRoofline(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeOverview(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeRecording(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeKernelCounters(const Experiment& experiment, const AnalysisOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_STACK_ANALYSES_H_
