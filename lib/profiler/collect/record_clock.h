// RecordClock: converts times of records to nanoseconds of CLOCK_MONOTONIC, during a session.
#ifndef TFRT_LIB_PROFILER_COLLECT_RECORD_CLOCK_H_
#define TFRT_LIB_PROFILER_COLLECT_RECORD_CLOCK_H_

#include <cstdint>
#include <vector>

#include "tfrt/tracing/clock.h"

namespace tfrt::profiler {

// The first comparison of both clocks covers a few milliseconds, and causes an error of some
// microseconds in each following second. So times are a line with a bend each second. A new piece
// begins at the end of the old one, and leads within a second to the expected time of the system's
// clock. The line never decreases, so nested times stay nested, and a time is always mapped alike.
// One thread at a time.
class RecordClock {
 public:
  RecordClock();
  // Adds a bend if the last one is a second old.
  void Follow();
  int64_t ToNanoseconds(tracing::Ticks ticks) const;

  // For tests, with given clocks: both current times, and the currently known rate.
  void Bend(tracing::Ticks now, int64_t nanoseconds, double nanoseconds_per_tick);
  explicit RecordClock(const tracing::ClockMap& first) : pieces_{first} {}

 private:
  std::vector<tracing::ClockMap> pieces_;  // ordered by tick; each holds from its tick on
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_RECORD_CLOCK_H_
