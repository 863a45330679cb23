#include "record_clock.h"

#include <algorithm>
#include <cstddef>

namespace tfrt::profiler {
namespace {

constexpr int64_t kPeriodNs = 1'000'000'000;

}  // namespace

RecordClock::RecordClock() : pieces_{tracing::CalibrateClock()} {}

void RecordClock::Follow() {
  const tracing::Ticks now = tracing::Now();
  if (ToNanoseconds(now) - pieces_.back().nanoseconds < kPeriodNs) return;
  const tracing::ClockMap known = tracing::CalibrateClock();
  Bend(now, known.ToNanoseconds(now), known.nanoseconds_per_tick);
}

void RecordClock::Bend(tracing::Ticks now, int64_t nanoseconds, double nanoseconds_per_tick) {
  const int64_t here = ToNanoseconds(now);
  // If a clock was set far back, at most half of each second is made good.
  const double missing = std::clamp(
      static_cast<double>(nanoseconds - here) / static_cast<double>(kPeriodNs), -0.5, 0.5);
  pieces_.push_back({now, here, nanoseconds_per_tick * (1 + missing)});
}

int64_t RecordClock::ToNanoseconds(tracing::Ticks ticks) const {
  // Most are of the last second or two.
  size_t i = pieces_.size() - 1;
  while (i > 0 && static_cast<int64_t>(ticks - pieces_[i].tick) < 0) --i;
  return pieces_[i].ToNanoseconds(ticks);
}

}  // namespace tfrt::profiler
