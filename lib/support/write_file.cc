#include "tfrt/support/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tfrt/support/str_cat.h"

namespace tfrt {

Status WriteFile(const std::string& path, const std::function<Status(const ByteSink&)>& write) {
  auto error = [&](int code) {
    return InternalError(StrCat("cannot write '", path, "': ", std::strerror(code)));
  };
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return error(EISDIR);
  // What is no file (a pipe, /dev/stdout) cannot be replaced.
  const bool in_place = exists && !S_ISREG(info.st_mode);
  std::string unfinished = StrCat(path, ".XXXXXX");
  int descriptor =
      in_place ? open(path.c_str(), O_WRONLY | O_CLOEXEC) : mkostemp(unfinished.data(), O_CLOEXEC);
  if (descriptor < 0) return error(errno);
  auto remove = [&] {
    if (!in_place) unlink(unfinished.c_str());
  };
  if (!in_place) {
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);  // as a file that fopen makes
  }
  std::FILE* file = fdopen(descriptor, "wb");
  if (!file) {
    Status status = error(errno);
    close(descriptor);
    remove();
    return status;
  }
  int write_error = 0;
  Status status = write([&](const void* data, size_t size_bytes) {
    if (size_bytes == 0 || std::fwrite(data, 1, size_bytes, file) == size_bytes) return true;
    if (write_error == 0) write_error = errno;
    return false;
  });
  if (std::fclose(file) != 0 && write_error == 0) write_error = errno;
  if (write_error != 0) status = error(write_error);  // the system's reason says more
  if (status.ok() && !in_place && std::rename(unfinished.c_str(), path.c_str()) != 0) {
    status = error(errno);
  }
  if (!status.ok()) remove();
  return status;
}

}  // namespace tfrt
