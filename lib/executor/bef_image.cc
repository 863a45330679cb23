#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "tfrt/executor/bef_file.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr std::align_val_t kImageAlignment{64};

// Closes a descriptor when it goes.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

BefImage BefImage::CopyOf(std::span<const uint8_t> bytes) {
  // One byte more, so that an empty image has an aligned address too.
  auto* copy = static_cast<uint8_t*>(::operator new(bytes.size() + 1, kImageAlignment));
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  return BefImage({copy, bytes.size()}, Owner::kHeap);
}

BefImage BefImage::Borrow(std::span<const uint8_t> bytes) {
  return BefImage(bytes, Owner::kNobody);
}

StatusOr<BefImage> BefImage::FromFile(const std::string& path) {
  auto error = [&] {
    std::string message = StrCat("cannot open input file '", path, "': ", std::strerror(errno));
    return errno == ENOENT ? NotFoundError(std::move(message)) : InternalError(std::move(message));
  };
  Descriptor fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return error();
  struct stat info;
  if (fstat(fd.get(), &info) != 0) return error();
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return error();
  }
  if (S_ISREG(info.st_mode) && info.st_size > 0) {
    size_t size = static_cast<size_t>(info.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (data != MAP_FAILED) {
      return BefImage({static_cast<const uint8_t*>(data), size}, Owner::kMapping);
    }
  }
  return FromDescriptor(fd.get(), path);
}

StatusOr<BefImage> BefImage::FromDescriptor(int fd, std::string_view name) {
  std::vector<uint8_t> bytes;
  size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(bytes.empty() ? 65536 : 2 * bytes.size());
    ssize_t n = read(fd, bytes.data() + size, bytes.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return InternalError(StrCat("cannot read '", name, "': ", std::strerror(errno)));
    if (n == 0) break;
    size += static_cast<size_t>(n);
  }
  return CopyOf({bytes.data(), size});
}

BefImage::BefImage(BefImage&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), owner_(std::exchange(other.owner_, Owner::kNobody)) {}

BefImage& BefImage::operator=(BefImage&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(owner_, other.owner_);
  return *this;
}

BefImage::~BefImage() {
  auto* data = const_cast<uint8_t*>(bytes_.data());
  if (owner_ == Owner::kHeap) ::operator delete(data, kImageAlignment);
  if (owner_ == Owner::kMapping) munmap(data, bytes_.size());
}

}  // namespace tfrt
