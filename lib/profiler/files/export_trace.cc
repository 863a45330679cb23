#include "export_trace.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "json_trace.h"
#include "lib/profiler/pprof.h"
#include "lib/profiler/sqlite_trace.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

template <typename Writer>
StatusOr<std::unique_ptr<TraceConsumer>> Make(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<Writer> writer, Writer::Create(path));
  return std::unique_ptr<TraceConsumer>(std::move(writer));
}

}  // namespace

StatusOr<std::unique_ptr<TraceConsumer>> MakeTraceWriter(const std::string& path,
                                                         TraceFormat format) {
  switch (format) {
    case TraceFormat::kChromeJson:
      return Make<ChromeJsonWriter>(path);
    case TraceFormat::kSqlite:
      return Make<SqliteWriter>(path);
    case TraceFormat::kPprof:
      return Make<PprofWriter>(path);
  }
  return InvalidArgumentError("no such format of traces");
}

Status ExportTrace(const std::string& from, const std::string& to, const TraceReader& read,
                   const TraceWriterMaker& make_writer) {
  std::error_code error;
  if (std::filesystem::equivalent(from, to, error) && !error) {
    return InvalidArgumentError(StrCat("'", to, "' is the file that is read"));
  }
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<TraceConsumer> writer, make_writer(to));
  return read(from, *writer);
}

Status ExportTrace(const std::string& from, const std::string& to, const TraceReader& read,
                   TraceFormat format) {
  return ExportTrace(from, to, read,
                     [=](const std::string& path) { return MakeTraceWriter(path, format); });
}

}  // namespace tfrt::profiler
