// What the runs of one program at one batch say together.
#ifndef TFRT_LIB_PROFILER_STACK_SUMMARIZE_H_
#define TFRT_LIB_PROFILER_STACK_SUMMARIZE_H_

#include <span>
#include <vector>

#include "tfrt/profiler/experiment.h"

namespace tfrt::profiler {

// Of runs of one system, model and batch, by level and repetition; at least one.
Subject Summarize(const std::vector<const ModelRun*>& runs);

// How long any of them ran: the measure of the union of their intervals, and what is known of
// latencies without intervals.
double LatencyOf(std::span<const KernelRun* const> kernels);

// How long any kernel of the layer ran while the layer did, and outside of that time.
struct Cover {
  double inside_ns = 0, outside_ns = 0;
};
Cover CoverOf(const LayerRun& layer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_SUMMARIZE_H_
