// Reports the changes from one experiment to another: models, layers and kernels. Marks whether a
// difference exceeds the spread of runs of one program.
#ifndef TFRT_LIB_PROFILER_ANALYSES_DIFF_H_
#define TFRT_LIB_PROFILER_ANALYSES_DIFF_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "experiment.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

enum class Change : uint8_t {
  kNone,  // within the spread of runs
  kFaster,
  kSlower,
  kUnknown,  // too few runs on a side
  kNew,      // only after
  kGone,     // only before
};
std::string_view ChangeName(Change change);  // "same", "faster", "slower", "too few runs", ...

struct DiffOptions {
  size_t top = 20;
  size_t min_runs = 3;  // the fewest runs on each side for a verdict other than "too few runs"
};

// Compares by ranks. Reports a change under two conditions. The probability that runs of one thing
// differ as much is at most 5 % (RankTest). The medians differ by more than 1 %. Returns kNew or
// kGone if one side was not measured. Returns kUnknown if neither was, or if there are too few runs
// to show a change: three on each side.
Change CompareMeasurements(const Measurement& before, const Measurement& after,
                           const DiffOptions& options = {});

// Compares experiments. Subjects match if model and batch match, and if the systems match or each
// side has only one. Layers and kernels are matched by order if all names agree, otherwise by name.
// Returns the tables "diff-models", "diff-layers" and "diff-kernels", the largest differences
// first. Rows of one side alone are included. Latencies are medians.
Section DiffExperiments(const Experiment& before, const Experiment& after,
                        const DiffOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_DIFF_H_
