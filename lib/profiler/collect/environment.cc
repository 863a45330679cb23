// Sessions that command lines and the environment ask for.

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "tfrt/profiler/session.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

StatusOr<std::unique_ptr<Session>> Session::StartFromFlags(const std::string& path,
                                                           std::string_view level) {
  if (path.empty()) return std::unique_ptr<Session>();
  TFRT_ASSIGN_OR_RETURN(Level parsed, ParseLevel(level));
  return Start({.path = path, .level = parsed});
}

StatusOr<std::unique_ptr<Session>> Session::StartFromEnvironment() {
  const char* path = std::getenv("TFRT_RECORD");
  if (!path || !*path) return std::unique_ptr<Session>();
  SessionOptions options = {.path = path};
  if (const char* level = std::getenv("TFRT_RECORD_LEVEL")) {
    StatusOr<Level> parsed = ParseLevel(level);
    if (!parsed.ok()) {
      return InvalidArgumentError(StrCat("TFRT_RECORD_LEVEL: ", parsed.status().message()));
    }
    options.level = *parsed;
  }
  if (const char* text = std::getenv("TFRT_RECORD_BUFFER_MB")) {
    const std::string_view megabytes = text;
    size_t value = 0;
    auto [end, error] =
        std::from_chars(megabytes.data(), megabytes.data() + megabytes.size(), value);
    if (error != std::errc() || end != megabytes.data() + megabytes.size() || value == 0 ||
        value > 1024) {
      return InvalidArgumentError(
          StrCat("TFRT_RECORD_BUFFER_MB is '", megabytes, "', not a number from 1 to 1024"));
    }
    options.buffer_bytes = value << 20;
  }
  if (const char* text = std::getenv("TFRT_RECORD_PROPERTIES")) {
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      const size_t equals = line.find('=');
      if (equals == 0 || equals == line.npos) {
        return InvalidArgumentError(
            StrCat("TFRT_RECORD_PROPERTIES has a line '", line, "', which is not KEY=VALUE"));
      }
      options.properties.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    }
  }
  StatusOr<std::unique_ptr<Session>> session = Start(options);
  if (session.ok() || session.status().code() != StatusCode::kFailedPrecondition) return session;
  // Another process writes it, or there is a session in this one, as will be said again.
  const std::filesystem::path file = options.path;
  options.path =
      (file.parent_path() / StrCat(file.stem().string(), ".", getpid(), file.extension().string()))
          .string();
  return Start(options);
}

}  // namespace tfrt::profiler
