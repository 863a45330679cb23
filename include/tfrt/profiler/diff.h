// What changed from one experiment to another: models, layers and kernels, with whether the
// difference is more than what runs of one and the same differ by.
#ifndef TFRT_PROFILER_DIFF_H_
#define TFRT_PROFILER_DIFF_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tfrt/profiler/experiment.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/trace.h"

namespace tfrt::profiler {

enum class Change : uint8_t {
  kNone,  // within what runs differ by
  kFaster,
  kSlower,
  kUnknown,  // too few runs on a side
  kNew,      // only after
  kGone,     // only before
};
std::string_view ChangeName(Change change);  // "same", "faster", "slower", "too few runs", ...

struct DiffOptions {
  size_t top = 20;
  size_t min_runs = 3;  // on each side, at least, to say more than "too few runs"
};

// By ranks: a change if runs of one thing differed as much with a probability of 5 % at most
// (RankTest), and the medians differ by more than 1 %. kNew or kGone if one side was not measured,
// kUnknown if neither was, or if there are so few runs that none could show a change: three on
// each side.
Change CompareMeasurements(const Measurement& before, const Measurement& after,
                           const DiffOptions& options = {});

// Subjects are the same if model and batch are, and the system as well, or there is only one system
// on each side. Layers and kernels are matched by order if all names agree, else by name. Tables
// "diff-models", "diff-layers" and "diff-kernels", the largest differences first; what is on one
// side alone is in them, too. Latencies are medians.
Section DiffExperiments(const Experiment& before, const Experiment& after,
                        const DiffOptions& options = {});
// The same, of one trace each.
Section DiffTraces(const Trace& before, const Trace& after, const DiffOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_DIFF_H_
