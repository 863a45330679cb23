#include "export_profile.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "json_profile.h"
#include "lib/profiler/pprof.h"
#include "lib/profiler/sqlite_profile.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

template <typename Writer>
StatusOr<std::unique_ptr<ProfileConsumer>> Make(const std::string& path) {
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<Writer> writer, Writer::Create(path));
  return std::unique_ptr<ProfileConsumer>(std::move(writer));
}

}  // namespace

StatusOr<std::unique_ptr<ProfileConsumer>> MakeProfileWriter(const std::string& path,
                                                             ProfileFormat format) {
  switch (format) {
    case ProfileFormat::kChromeJson:
      return Make<ChromeJsonWriter>(path);
    case ProfileFormat::kSqlite:
      return Make<SqliteWriter>(path);
    case ProfileFormat::kPprof:
      return Make<PprofWriter>(path);
  }
  return InvalidArgumentError("no such format of profiles");
}

Status ExportProfile(const std::string& from, const std::string& to, const ProfileReader& read,
                     const ProfileWriterMaker& make_writer) {
  std::error_code error;
  if (std::filesystem::equivalent(from, to, error) && !error) {
    return InvalidArgumentError(StrCat("'", to, "' is the file that is read"));
  }
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileConsumer> writer, make_writer(to));
  return read(from, *writer);
}

Status ExportProfile(const std::string& from, const std::string& to, const ProfileReader& read,
                     ProfileFormat format) {
  return ExportProfile(from, to, read,
                       [=](const std::string& path) { return MakeProfileWriter(path, format); });
}

}  // namespace tfrt::profiler
