// ReadTrace: reads a trace file of whatever format.
#ifndef TFRT_PROFILER_READ_TRACE_H_
#define TFRT_PROFILER_READ_TRACE_H_

#include <string>

#include "tfrt/profiler/trace.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Finds out by its first bytes what the file is, and reads it as the reader of that format does.
// Files may be compressed by gzip. InvalidArgument for a file that cannot be read or is nothing
// that is known ("PATH: begins with '%PDF-1.4' (25 50 44 46 ...), which is none of: Perfetto").
Status ReadTrace(const std::string& path, TraceConsumer& consumer);
// All of it, in memory.
StatusOr<Trace> LoadTrace(const std::string& path);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_READ_TRACE_H_
