// Reads Perfetto files in windows. Memory does not grow with the profile, except for its names,
// tracks and open slices.
#ifndef TFRT_LIB_PROFILER_PERFETTO_PERFETTO_READER_H_
#define TFRT_LIB_PROFILER_PERFETTO_PERFETTO_READER_H_

#include <string>
#include <string_view>

#include "lib/profiler/source/profile_source.h"
#include "tfrt/profiler/profile_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Returns whether a file that begins with these bytes may be a Perfetto file.
bool LooksLikePerfetto(std::string_view first_bytes);

// Passes the profile to `consumer`, and finishes it.
//
// Files of PerfettoWriter give the written data, in that order. Files of other tools give the
// slices and instants of TrackEvents, as events of the types `slice` and `instant` with their
// categories. Counters and other data are counted as problems.
//
// Parts that are truncated, malformed or of a newer version become problems of the profile: as much
// as possible is read. Fails with InvalidArgument for a file that is no Perfetto trace at all or
// cannot be read. So does a packet of more than 64 MiB ("PATH: offset 12: a packet of 99999999
// bytes, more than 67108864"). Otherwise returns the consumer's status.
Status ReadPerfetto(ProfileSource& source, ProfileConsumer& consumer);
Status ReadPerfetto(const std::string& path, ProfileConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_PERFETTO_PERFETTO_READER_H_
