// ReadTrace: reads a trace file of any format.
#ifndef TFRT_PROFILER_READ_TRACE_H_
#define TFRT_PROFILER_READ_TRACE_H_

#include <string>

#include "tfrt/profiler/trace.h"
#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Detects the format of the file by its first bytes, and calls the reader of that format. Files may
// be compressed by gzip. Fails with InvalidArgument for a file that cannot be read or has an
// unknown format. An example is "PATH: begins with '%PDF-1.4' (25 50 44 46 ...), which is none of:
// Perfetto".
Status ReadTrace(const std::string& path, TraceConsumer& consumer);
// Reads the whole trace into memory.
StatusOr<Trace> LoadTrace(const std::string& path);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_READ_TRACE_H_
