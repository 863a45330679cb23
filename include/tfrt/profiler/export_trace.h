// ExportTrace: a trace in one format as a file of another.
#ifndef TFRT_PROFILER_EXPORT_TRACE_H_
#define TFRT_PROFILER_EXPORT_TRACE_H_

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

// Those of this library; Perfetto's is made by its own function.
enum class TraceFormat : uint8_t { kChromeJson, kSqlite, kPprof };
StatusOr<std::unique_ptr<TraceConsumer>> MakeTraceWriter(const std::string& path,
                                                         TraceFormat format);

// `to` is there, whole, if it returns OK, else as it was before. InvalidArgument if both paths are
// one file.
Status ExportTrace(const std::string& from, const std::string& to, const TraceReader& read,
                   const TraceWriterMaker& make_writer);
Status ExportTrace(const std::string& from, const std::string& to, const TraceReader& read,
                   TraceFormat format);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_EXPORT_TRACE_H_
