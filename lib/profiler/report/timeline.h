// Shows a profile itself, before any analysis: when and where each event ran.
#ifndef TFRT_LIB_PROFILER_REPORT_TIMELINE_H_
#define TFRT_LIB_PROFILER_REPORT_TIMELINE_H_

#include <cstddef>

#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/profile.h"

namespace tfrt::profiler {

struct TimelineOptions {
  // The most rows of the timeline. If there are more events, the shortest are merged with their
  // neighbours.
  size_t max_rows = 60'000;
  // The most threads and streams in the timeline. If there are more, those with the most events are
  // shown.
  size_t max_lanes = 48;
  size_t num_longest = 12;  // events of each level that are listed as its longest
};

// Returns the section "timeline". It has a chart of all events, the types of events, the
// utilisation of threads and streams, the longest events, and the profile's problems. Takes time in
// the number of events times its logarithm.
Section TimelineSection(const Profile& profile, const TimelineOptions& options = {});

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_TIMELINE_H_
