// ExportTrace: converts a trace file from one format to another.
#ifndef TFRT_LIB_PROFILER_FILES_EXPORT_TRACE_H_
#define TFRT_LIB_PROFILER_FILES_EXPORT_TRACE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tfrt/profiler/trace_consumer.h"
#include "tfrt/support/status.h"

namespace tfrt::profiler {

// Reads a trace of any format into a consumer, and finishes it.
using TraceReader = std::function<Status(const std::string& path, TraceConsumer& consumer)>;
// Makes the writer of a file.
using TraceWriterMaker =
    std::function<StatusOr<std::unique_ptr<TraceConsumer>>(const std::string& path)>;

// The formats of this library. Perfetto's writer is made by a separate function.
enum class TraceFormat : uint8_t { kChromeJson, kSqlite, kPprof };
StatusOr<std::unique_ptr<TraceConsumer>> MakeTraceWriter(const std::string& path,
                                                         TraceFormat format);

// Exports the trace at `from` to `to`. On success `to` is complete; otherwise it is as before.
// Returns InvalidArgument if both paths are one file.
Status ExportTrace(const std::string& from, const std::string& to, const TraceReader& read,
                   const TraceWriterMaker& make_writer);
Status ExportTrace(const std::string& from, const std::string& to, const TraceReader& read,
                   TraceFormat format);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FILES_EXPORT_TRACE_H_
