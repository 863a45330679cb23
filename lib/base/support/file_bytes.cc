#include "tfrt/support/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr std::align_val_t kCopyAlignment{64};

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

FileBytes FileBytes::CopyOf(std::span<const uint8_t> bytes) {
  // One byte more, so that an empty copy has an aligned address too.
  auto* copy = static_cast<uint8_t*>(::operator new(bytes.size() + 1, kCopyAlignment));
  if (!bytes.empty()) std::memcpy(copy, bytes.data(), bytes.size());
  return FileBytes({copy, bytes.size()}, Owner::kHeap, /*is_writable=*/true);
}

FileBytes FileBytes::Borrow(std::span<const uint8_t> bytes) {
  return FileBytes(bytes, Owner::kNobody, /*is_writable=*/false);
}

StatusOr<FileBytes> FileBytes::FromFile(const std::string& path, Access access) {
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
    bool is_writable = access == Access::kCopyOnWrite;
    int protection = is_writable ? PROT_READ | PROT_WRITE : PROT_READ;
    // Pages of a private copy need memory only when they are written.
    void* data = mmap(nullptr, size, protection, MAP_PRIVATE | MAP_NORESERVE, fd.get(), 0);
    if (data == MAP_FAILED && errno != ENODEV) return error();  // reading it would need more memory
    if (data != MAP_FAILED) {
      return FileBytes({static_cast<const uint8_t*>(data), size}, Owner::kMapping, is_writable);
    }
  }
  return FromDescriptor(fd.get(), path);
}

StatusOr<FileBytes> FileBytes::FromDescriptor(int fd, std::string_view name) {
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

FileBytes::FileBytes(FileBytes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      owner_(std::exchange(other.owner_, Owner::kNobody)),
      is_writable_(std::exchange(other.is_writable_, false)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(owner_, other.owner_);
  std::swap(is_writable_, other.is_writable_);
  return *this;
}

void FileBytes::Forget(std::span<const uint8_t> part) const {
  if (owner_ != Owner::kMapping || is_writable_) return;
  const auto first = reinterpret_cast<uintptr_t>(bytes_.data());
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  uintptr_t begin = reinterpret_cast<uintptr_t>(part.data()), end = begin + part.size();
  if (begin < first || end > first + bytes_.size()) return;
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end) (void)madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

FileBytes::~FileBytes() {
  auto* data = const_cast<uint8_t*>(bytes_.data());
  if (owner_ == Owner::kHeap) ::operator delete(data, kCopyAlignment);
  if (owner_ == Owner::kMapping) munmap(data, bytes_.size());
}

}  // namespace tfrt
