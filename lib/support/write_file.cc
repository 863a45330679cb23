#include "tfrt/support/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Makes a file of a new name in the folder of `path`, with the permissions of one that fopen makes.
// A descriptor, or -1 and errno. (mkostemp lets only the owner read, and the process's mask for
// others cannot be read without changing it, for all threads.)
int CreateBeside(const std::string& path, std::string* name) {
  constexpr int kTries = 100;
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    *name = StrCat(path, ".", random());
    int descriptor = open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

Status WriteFile(const std::string& path, const std::function<Status(const ByteSink&)>& write) {
  auto error = [&](int code) {
    return InternalError(StrCat("cannot write '", path, "': ", std::strerror(code)));
  };
  struct stat info;
  const bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return error(EISDIR);
  // What is no file (a pipe, /dev/stdout) cannot be replaced.
  const bool in_place = exists && !S_ISREG(info.st_mode);
  std::string unfinished;
  int descriptor =
      in_place ? open(path.c_str(), O_WRONLY | O_CLOEXEC) : CreateBeside(path, &unfinished);
  if (descriptor < 0) return error(errno);
  auto remove = [&] {
    if (!in_place) unlink(unfinished.c_str());
  };
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
