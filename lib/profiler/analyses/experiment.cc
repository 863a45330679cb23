#include "experiment.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "summarize.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

// Readers of other systems' profiles know what layers move, but no formulas. A model at a batch
// computes the same wherever it runs: as a whole, since systems cut it into other layers.
void ShareOperations(std::vector<Subject>* subjects) {
  for (Subject& subject : *subjects) {
    if (subject.work.flops > 0 || subject.model.empty()) continue;
    for (const Subject& other : *subjects) {
      if (other.model != subject.model || other.batch != subject.batch) continue;
      if (other.work.source != Work::Source::kFormula || !(other.work.flops > 0)) continue;
      subject.work.flops = other.work.flops;
      if (!subject.work.is_known()) subject.work.source = Work::Source::kFormula;
      subject.doubts.push_back(StrCat("its profile does not say what it computes: operations as ",
                                      other.system,
                                      " counts them by formula for the same model and batch"));
      break;
    }
  }
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  if (!other.is_known()) return *this;
  source = is_known() ? std::min(source, other.source) : other.source;
  flops += other.flops;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  return *this;
}

std::string Subject::Title() const {
  return StrCat(model.empty() ? "unnamed model" : model, ", batch ", batch, ", ", system);
}

std::string Subject::SourceText(std::optional<Level> level) const {
  if (!level) return "no run";
  const size_t count = num_runs[static_cast<size_t>(*level)];
  return StrCat(count, count == 1 ? " run" : " runs", " at level ", LevelName(*level));
}

Experiment ExperimentBuilder::Build() {
  std::map<std::tuple<std::string, std::string, int64_t>, std::vector<const ModelRun*>> programs;
  for (const ModelRun& run : runs_) {
    programs[std::tuple(run.system, run.model, run.batch)].push_back(&run);
  }
  Experiment experiment;
  for (auto& [key, runs] : programs) {
    std::ranges::stable_sort(
        runs, {}, [](const ModelRun* run) { return std::pair(run->level, run->repetition); });
    experiment.subjects_.push_back(Summarize(runs));
  }
  ShareOperations(&experiment.subjects_);
  experiment.doubts_ = std::exchange(doubts_, {});
  runs_.clear();
  return experiment;
}

}  // namespace tfrt::profiler
