#include "counter_source.h"

#include <iterator>
#include <utility>

namespace tfrt::profiler {

Status CounterSource::Start(Level level) {
  if (level < Level::kMetrics) return OkStatus();
  problems_ = CounterProbe::Get().Begin(&calls_);
  is_counting_ = true;
  return OkStatus();
}

void CounterSource::Drain(EventStream& stream) {
  for (const Problem& problem : std::exchange(problems_, {})) {
    stream.consumer().AddProblem(problem);
  }
}

void CounterSource::Stop() {
  if (!std::exchange(is_counting_, false)) return;
  std::vector<Problem> problems = CounterProbe::Get().End();
  problems_.insert(problems_.end(), std::move_iterator(problems.begin()),
                   std::move_iterator(problems.end()));
}

}  // namespace tfrt::profiler
