// Summarizes the runs of one program at one batch.
#ifndef TFRT_LIB_PROFILER_ANALYSES_SUMMARIZE_H_
#define TFRT_LIB_PROFILER_ANALYSES_SUMMARIZE_H_

#include <span>
#include <vector>

#include "experiment.h"

namespace tfrt::profiler {

// Summarizes runs of one system, model and batch, by level and repetition; needs at least one.
Subject Summarize(const std::vector<const ModelRun*>& runs);

// Returns how long any of them ran: the measure of the union of their intervals, plus the known
// latencies without intervals.
double LatencyOf(std::span<const KernelRun* const> kernels);

// How long any kernel of the layer ran inside and outside of the layer's time.
struct Cover {
  double inside_ns = 0, outside_ns = 0;
};
Cover CoverOf(const LayerRun& layer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_SUMMARIZE_H_
