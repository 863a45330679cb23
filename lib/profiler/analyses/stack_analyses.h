// Across-stack analyses: make sections of a report from an Experiment, on model, layer and kernel
// level. They are the same for processors and devices, and for profiles of other systems. Data that
// a profile lacks give empty cells, and doubts are reported with the table.
#ifndef TFRT_LIB_PROFILER_ANALYSES_STACK_ANALYSES_H_
#define TFRT_LIB_PROFILER_ANALYSES_STACK_ANALYSES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiment.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

struct AnalysisOptions {
  // Only subjects of these; empty, 0: all.
  std::string system = {}, model = {};
  int64_t batch = 0;
  size_t top = 10;               // rows of long tables that are shown at first
  double latency_target_ms = 0;  // for the largest batch within it; 0: none
  // The first one decides what is bound by memory. Empty: the roofs of the machines in the
  // profiles.
  std::vector<Chart::Roof> roofs = {};
  std::string baseline = {};  // the system to compare the others with; empty: the first one
};

// A batch and its measurements.
struct BatchPoint {
  int64_t batch = 1;
  double latency_ns = 0;
  // Returns items per second.
  double throughput() const {
    return latency_ns > 0 ? static_cast<double>(batch) / latency_ns * 1e9 : 0;
  }
};

// The best batches by different criteria.
struct BestBatches {
  // The smallest batch whose double gives at most 5 % more items per second; empty: not saturated
  // in the measured range.
  std::optional<int64_t> saturating;
  std::optional<int64_t> fastest;         // with most items per second; of several the smallest
  std::optional<int64_t> within_latency;  // the largest one within the latency
};
BestBatches FindBestBatches(std::span<const BatchPoint> points, double latency_target_ns = 0);

// Returns whether an op is a convolution of any kind, by its name: "Conv", "tf.Conv2D",
// "aten::convolution".
bool IsConvolution(std::string_view op);

// Returns the roofs for this subject: the options', otherwise those of its machine.
std::vector<Chart::Roof> RoofsFor(const Subject& subject, const AnalysisOptions& options);

struct StackAnalysis {
  int number;  // 1 to 15; further ones from 16
  std::string_view id;
  std::string_view title;
  Level level;  // the deepest one that it needs
  Section (*run)(const Experiment&, const AnalysisOptions&);
};
// Returns the analyses, ordered by number.
std::span<const StackAnalysis> StackAnalyses();
// Returns null if no analysis has this number.
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
// Further analyses, from 16. First come the share of convolutions in the latency and the growth of
// throughput with the batch. Next is the distribution of latency, memory and work over the model.
// Then come systems side by side, many models under one roof, and all models, batches and systems
// in one table. The last are the cost of recording and the counters of kernels.
Section AnalyzeConvolutions(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeSpeedUp(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeStages(const Experiment& experiment, const AnalysisOptions& options = {});
Section CompareSystems(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeModelRoofline(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeOverview(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeRecording(const Experiment& experiment, const AnalysisOptions& options = {});
Section AnalyzeKernelCounters(const Experiment& experiment, const AnalysisOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_STACK_ANALYSES_H_
