// RecordClock: the times of records in nanoseconds of CLOCK_MONOTONIC, for as long as a session is.
#ifndef TFRT_LIB_PROFILER_COLLECT_RECORD_CLOCK_H_
#define TFRT_LIB_PROFILER_COLLECT_RECORD_CLOCK_H_

#include <cstdint>
#include <vector>

#include "tfrt/tracing/clock.h"

namespace tfrt::profiler {

// The first comparison of both clocks is of a few milliseconds, and wrong by some microseconds in
// each second that follows. So times are a line with a bend each second: the new piece begins where
// the old one was, and leads within a second to where the system's clock will be. It never goes
// back, so what was inside of something stays there, and a time is mapped alike whenever it is
// asked for. One thread at a time.
class RecordClock {
 public:
  RecordClock();
  // Adds a bend, if the last one is a second ago.
  void Follow();
  int64_t ToNanoseconds(tracing::Ticks ticks) const;

  // With clocks that are given, for tests: both now, and the rate as it is known now.
  void Bend(tracing::Ticks now, int64_t nanoseconds, double nanoseconds_per_tick);
  explicit RecordClock(const tracing::ClockMap& first) : pieces_{first} {}

 private:
  std::vector<tracing::ClockMap> pieces_;  // by tick; each holds from its tick on
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_RECORD_CLOCK_H_
