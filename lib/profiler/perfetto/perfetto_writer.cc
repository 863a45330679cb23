#include "perfetto_writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "encoder.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

Status CannotWrite(const std::string& path, int descriptor) {
  Status status = InvalidArgumentError(StrCat("cannot write '", path, "': ", std::strerror(errno)));
  if (descriptor >= 0) close(descriptor);
  return status;
}

}  // namespace

StatusOr<std::unique_ptr<PerfettoWriter>> PerfettoWriter::Create(const std::string& path,
                                                                 size_t buffer_bytes) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  struct stat file = {};
  if (descriptor < 0 || fstat(descriptor, &file) != 0) return CannotWrite(path, descriptor);
  if (S_ISREG(file.st_mode)) {
    // A file that another writer has begun is left as it is. The lock ends with the descriptor.
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(descriptor);
      return FailedPreconditionError(StrCat("cannot write '", path, "': it is being written"));
    }
    if (ftruncate(descriptor, 0) != 0) return CannotWrite(path, descriptor);
  }
  return std::unique_ptr<PerfettoWriter>(
      std::make_unique<PerfettoEncoder>(descriptor, true, path, buffer_bytes));
}

std::unique_ptr<PerfettoWriter> PerfettoWriter::ToDescriptor(int descriptor, std::string name,
                                                             size_t buffer_bytes) {
  return std::make_unique<PerfettoEncoder>(descriptor, false, std::move(name), buffer_bytes);
}

}  // namespace tfrt::profiler
