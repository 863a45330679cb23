// Reads Perfetto files, in windows: memory does not grow with the trace, but for its names, tracks
// and open slices.
#ifndef TFRT_PROFILER_PERFETTO_READER_H_
#define TFRT_PROFILER_PERFETTO_READER_H_

#include <string>
#include <string_view>

#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/profiler/trace_source.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Whether a file that begins with these bytes may be one.
bool LooksLikePerfetto(std::string_view first_bytes);

// Tells `consumer` of the trace, and that it is over.
//
// Files of PerfettoWriter give what was written, in that order. From those of others come the
// slices and instants of TrackEvents, as events of the types `slice` and `instant` with their
// categories; counters and other data are counted as problems.
//
// What is cut off, malformed or of a newer version becomes a problem of the trace: as much as
// possible is read. InvalidArgument for what is no Perfetto trace at all or has a packet of more
// than 64 MiB ("PATH: offset 12: a packet of 99999999 bytes, more than 67108864"), for files that
// cannot be read, and otherwise what the consumer says.
Status ReadPerfetto(TraceSource& source, TraceConsumer& consumer);
Status ReadPerfetto(const std::string& path, TraceConsumer& consumer);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_PERFETTO_READER_H_
