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

// The runs and the options that an analysis is made from.
struct Study {
  const Experiment& experiment;
  const AnalysisOptions& options;
};

struct StackAnalysis {
  int number;  // 1 to 15; further ones from 16
  std::string_view id, title;
  Level level;            // the deepest one that it needs
  std::string_view text;  // of the section; may be empty
  // One of the two functions is there. The first one adds tables, charts and facts to the section.
  void (*make)(const Study& study, Section* section) = nullptr;
  // The second one is called for each selected subject. It gets a table without columns and rows,
  // adds these, and may add charts and facts. Tables without a row are left out. If all are, the
  // section's text reports the missing data.
  void (*make_table)(const Study& study, const Subject& subject, Table* table,
                     Section* section) = nullptr;
  std::string_view table_title = {};  // "Layers": "Layers of resnet50, batch 4, tfrt"

  Section Run(const Experiment& experiment, const AnalysisOptions& options = {}) const;
};
// Returns the analyses, ordered by number. The first fifteen are of the levels model (1), layer (2
// to 7) and kernel (8 to 15). Further ones begin with the share of convolutions in the latency and
// the growth of throughput with the batch. Next is the distribution of latency, memory and work
// over the model. Then come systems side by side, many models under one roof, and all models,
// batches and systems in one table. The last are the cost of recording and the counters of kernels.
std::span<const StackAnalysis> StackAnalyses();
// Returns null if no analysis has this number.
const StackAnalysis* FindStackAnalysis(int number);
// Runs the analysis of an id, which must be one: "overview".
Section RunAnalysis(std::string_view id, const Experiment& experiment,
                    const AnalysisOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_STACK_ANALYSES_H_
