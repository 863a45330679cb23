// What a trace itself looks like, before any analysis: when which event ran where.
#ifndef TFRT_PROFILER_TIMELINE_H_
#define TFRT_PROFILER_TIMELINE_H_

#include <cstddef>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/trace.h"

namespace tfrt::profiler {

struct TimelineOptions {
  // Rows of the timeline: of more events the shortest are merged with those beside them.
  size_t max_rows = 60'000;
  // Threads and streams in the timeline: of more, those with the most events.
  size_t max_lanes = 48;
  size_t num_longest = 12;  // events of each level that are listed as its longest
};

// The section "timeline": a chart of all events, what types of them there are, how busy threads and
// streams are, the longest events, and the trace's problems. Takes time in the number of events
// times its logarithm.
Section TimelineSection(const Trace& trace, const TimelineOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_TIMELINE_H_
