#include "tfrt/support/write_file.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// The descriptor of this process that a path stands for; -1 for other paths. To open such a path
// is to open the descriptor's file anew, from its start.
int DescriptorOf(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    const std::string_view digits = path.substr(folder.size());
    int descriptor = -1;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), descriptor);
    if (error == std::errc() && end == digits.data() + digits.size()) return descriptor;
  }
  return -1;
}

// Where links at `path` lead to in the end, be it there or not.
std::string FollowLinks(std::string path) {
  constexpr int kMaxLinks = 40;  // as the system
  for (int i = 0; i < kMaxLinks && DescriptorOf(path) < 0; ++i) {
    char text[PATH_MAX];
    const ssize_t size = readlink(path.c_str(), text, sizeof(text));
    if (size < 0) break;
    const std::string_view link(text, static_cast<size_t>(size));
    const size_t folder_size = link.starts_with('/') ? 0 : path.rfind('/') + 1;
    path = StrCat(path.substr(0, folder_size), link);
  }
  return path;
}

// Makes a file of a new name in the folder of `path`. A descriptor, or -1 and errno. (mkostemp
// lets only the owner read, and the process's mask for others cannot be read without changing it,
// for all threads.)
int CreateBeside(const std::string& path, std::string* name) {
  constexpr int kTries = 100;
  constexpr size_t kMaxName = NAME_MAX - 11;  // of the file, before the dot and ten digits
  const size_t folder_size = path.rfind('/') + 1;
  const std::string start = path.substr(0, folder_size + kMaxName);
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    *name = StrCat(start, ".", random());
    int descriptor = open(name->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

}  // namespace

StatusOr<NewFile> NewFile::Create(const std::string& path) {
  NewFile file(path, FollowLinks(path));
  const std::string& target = file.target_;
  struct stat old;
  const bool exists = stat(target.c_str(), &old) == 0;
  if (!exists && errno != ENOENT) return file.Error(errno);
  if (exists && S_ISDIR(old.st_mode)) return file.Error(EISDIR);
  if (DescriptorOf(target) >= 0 || (exists && !S_ISREG(old.st_mode))) {
    file.name_ = target;
    return file;
  }
  if (exists && access(target.c_str(), W_OK) != 0) return file.Error(errno);
  std::string name;
  const int descriptor = CreateBeside(target, &name);
  if (descriptor < 0) return file.Error(errno);
  // Best effort: where modes cannot be set (some network file systems), the file is still good.
  if (exists) static_cast<void>(fchmod(descriptor, old.st_mode & 0777));
  close(descriptor);
  file.name_ = std::move(name);
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      name_(std::move(other.name_)) {
  other.target_.clear();
  other.name_.clear();
}

NewFile::~NewFile() {
  if (!name_.empty() && name_ != target_) unlink(name_.c_str());
}

int NewFile::Open() const {
  const int descriptor = DescriptorOf(name_);
  if (descriptor >= 0) return fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  return open(name_.c_str(), O_WRONLY | O_CLOEXEC);
}

Status NewFile::Keep() {
  if (name_ == target_) return OkStatus();
  if (std::rename(name_.c_str(), target_.c_str()) != 0) return Error(errno);
  name_ = target_;
  return OkStatus();
}

Status NewFile::Error(int code) const {
  return InternalError(StrCat("cannot write '", path_, "': ", std::strerror(code)));
}

Status WriteFile(const std::string& path, const std::function<Status(const ByteSink&)>& write) {
  TFRT_ASSIGN_OR_RETURN(NewFile new_file, NewFile::Create(path));
  const int descriptor = new_file.Open();
  if (descriptor < 0) return new_file.Error(errno);
  std::FILE* file = fdopen(descriptor, "wb");
  if (!file) {
    Status status = new_file.Error(errno);
    close(descriptor);
    return status;
  }
  int write_error = 0;
  Status status = write([&](const void* data, size_t size_bytes) {
    if (size_bytes == 0 || std::fwrite(data, 1, size_bytes, file) == size_bytes) return true;
    if (write_error == 0) write_error = errno;
    return false;
  });
  if (std::fclose(file) != 0 && write_error == 0) write_error = errno;
  if (write_error != 0) return new_file.Error(write_error);  // the system's reason says more
  TFRT_RETURN_IF_ERROR(status);
  return new_file.Keep();
}

Status CheckIsNotInput(const std::string& output, const std::string& input) {
  struct stat a, b;
  if (stat(output.c_str(), &a) != 0 || stat(input.c_str(), &b) != 0 || !S_ISREG(a.st_mode) ||
      a.st_dev != b.st_dev || a.st_ino != b.st_ino) {
    return OkStatus();
  }
  return InvalidArgumentError(StrCat("'", output, "' is the file that is read"));
}

}  // namespace tfrt
