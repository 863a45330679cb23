#include "export_profile.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
Status ExportProfile(const std::string& from, const std::string& to, const ProfileReader& read,
                     const ProfileWriterMaker& make_writer) {
  std::error_code error;
  if (std::filesystem::equivalent(from, to, error) && !error) {
    return InvalidArgumentError(StrCat("'", to, "' is the file that is read"));
  }
  TFRT_ASSIGN_OR_RETURN(std::unique_ptr<ProfileConsumer> writer, make_writer(to));
  return read(from, *writer);
}

}  // namespace tfrt::profiler
