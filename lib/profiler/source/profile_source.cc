#include "profile_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

Status OpenError(const std::string& path) {
  const std::string message = StrCat("cannot read '", path, "': ", std::strerror(errno));
  return errno == ENOENT ? NotFoundError(message) : InvalidArgumentError(message);
}

Status ReadError(const std::string& path, std::string_view reason) {
  return InvalidArgumentError(StrCat("cannot read '", path, "': ", reason));
}

// zlib reads files that it has not compressed as they are.
class FileSource final : public ProfileSource {
 public:
  FileSource(std::string path, gzFile file) : ProfileSource(std::move(path)), file_(file) {}
  ~FileSource() override { gzclose(file_); }
  using ProfileSource::ReadFirstBytes;

 protected:
  StatusOr<size_t> ReadMore(char* out, size_t size) override {
    const int count = gzread(file_, out, static_cast<unsigned>(std::min(size, size_t{1} << 30)));
    int code = Z_OK;
    const char* text = gzerror(file_, &code);
    if (code == Z_ERRNO) return ReadError(name(), std::strerror(errno));
    if (code == Z_MEM_ERROR) return ReadError(name(), text);
    if (code != Z_OK && code != Z_STREAM_END) SetDamage(text);
    return count > 0 ? static_cast<size_t>(count) : 0;
  }

 private:
  gzFile file_;
};

class BytesSource final : public ProfileSource {
 public:
  BytesSource(std::string_view bytes, std::string name)
      : ProfileSource(std::move(name)), bytes_(bytes) {}
  using ProfileSource::ReadFirstBytes;

 protected:
  StatusOr<size_t> ReadMore(char* out, size_t size) override {
    const size_t count = std::min(size, bytes_.size());
    if (count > 0) std::memcpy(out, bytes_.data(), count);
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

Status ProfileSource::ReadFirstBytes() {
  std::string bytes(kNumFirstBytes, '\0');
  size_t size = 0;
  while (size < bytes.size()) {
    StatusOr<size_t> count = ReadMore(bytes.data() + size, bytes.size() - size);
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    size += *count;
  }
  bytes.resize(size);
  first_bytes_ = std::move(bytes);
  return OkStatus();
}

StatusOr<size_t> ProfileSource::Read(char* out, size_t size) {
  if (num_first_read_ == first_bytes_.size()) return ReadMore(out, size);
  const size_t count = std::min(size, first_bytes_.size() - num_first_read_);
  std::memcpy(out, first_bytes_.data() + num_first_read_, count);
  num_first_read_ += count;
  return count;
}

StatusOr<std::unique_ptr<ProfileSource>> ProfileSource::Open(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return OpenError(path);
  struct stat info;
  if (fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode)) {
    close(descriptor);
    return ReadError(path, std::strerror(EISDIR));
  }
  gzFile file = gzdopen(descriptor, "rb");
  if (!file) {
    close(descriptor);
    return ReadError(path, std::strerror(ENOMEM));
  }
  gzbuffer(file, 256 << 10);
  auto source = std::make_unique<FileSource>(path, file);
  if (Status status = source->ReadFirstBytes(); !status.ok()) return status;
  return std::unique_ptr<ProfileSource>(std::move(source));
}

std::unique_ptr<ProfileSource> ProfileSource::OfBytes(std::string_view bytes, std::string name) {
  auto source = std::make_unique<BytesSource>(bytes, std::move(name));
  (void)source->ReadFirstBytes();  // memory has no errors
  return source;
}

}  // namespace tfrt::profiler
