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
  for (CounterProblem& problem : std::exchange(problems_, {})) {
    stream.consumer().AddProblem({.kind = Problem::Kind::kUnavailable,
                                  .count = problem.count,
                                  .text = std::move(problem.text)});
  }
}

void CounterSource::Stop() {
  if (!std::exchange(is_counting_, false)) return;
  std::vector<CounterProblem> problems = CounterProbe::Get().End();
  problems_.insert(problems_.end(), std::move_iterator(problems.begin()),
                   std::move_iterator(problems.end()));
}

}  // namespace tfrt::profiler
