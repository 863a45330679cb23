#include "shared_regions.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "lib/serve/models/bus_guard.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::serve {
namespace {

constexpr size_t kMaxNameBytes = 255;

// A name of an object has no path: the system's library would put it behind that of a folder.
Status CheckKey(std::string_view key) {
  const std::string_view name = key.starts_with('/') ? key.substr(1) : key;
  const bool is_good = !name.empty() && name.size() < kMaxNameBytes && name != "." &&
                       name != ".." && name.find('/') == name.npos && name.find('\0') == name.npos;
  if (is_good) return OkStatus();
  return InvalidArgumentError(StrCat("the key '", key, "' is no name of POSIX shared memory"));
}

}  // namespace

// A region that is mapped for reading, and whose object is open for reading and writing.
class SharedRegion {
 public:
  static StatusOr<std::shared_ptr<const SharedRegion>> Map(RegionInfo info);
  SharedRegion() = default;
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;
  ~SharedRegion() {
    guard_ = nullptr;
    if (mapped_) munmap(mapped_, mapped_bytes_);
    if (fd_ >= 0) close(fd_);
  }

  const RegionInfo& info() const { return info_; }
  const std::byte* data() const { return data_; }
  Status CheckGuard() const {
    if (!guard_->has_failed()) return OkStatus();
    return InvalidArgumentError(StrCat("the object '", info_.key, "' of the region '", info_.name,
                                       "' became shorter while it was read"));
  }
  // Fails unless the object has the bytes now.
  Status CheckSize(uint64_t offset, uint64_t size) const;
  Status Read(uint64_t offset, void* data, size_t size) const;
  Status Write(uint64_t offset, const void* data, size_t size) const;
  bool Overlaps(uint64_t offset, uint64_t size, const SharedRegion& other, uint64_t other_offset,
                uint64_t other_size) const {
    offset += info_.offset;
    other_offset += other.info_.offset;
    return device_ == other.device_ && inode_ == other.inode_ &&
           offset < other_offset + other_size && other_offset < offset + size;
  }

 private:
  RegionInfo info_;
  int fd_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  void* mapped_ = nullptr;
  size_t mapped_bytes_ = 0;
  const std::byte* data_ = nullptr;
  std::unique_ptr<BusGuard> guard_;
};

StatusOr<std::shared_ptr<const SharedRegion>> SharedRegion::Map(RegionInfo info) {
  TFRT_RETURN_IF_ERROR(CheckKey(info.key));
  auto region = std::make_shared<SharedRegion>();
  const std::string object = info.key.starts_with('/') ? info.key : StrCat('/', info.key);
  region->info_ = std::move(info);
  const RegionInfo& made = region->info_;
  // Neither follows links, nor waits for the other end of a pipe.
  region->fd_ = shm_open(object.c_str(), O_RDWR, 0);
  if (region->fd_ < 0) {
    const std::string message =
        StrCat("cannot open the shared memory '", made.key, "': ", std::strerror(errno));
    if (errno == ENOENT) return NotFoundError(message);
    if (errno == EMFILE || errno == ENFILE) return ResourceExhaustedError(message);
    return Status(StatusCode::kPermissionDenied, message);
  }
  struct stat facts;
  if (fstat(region->fd_, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return InvalidArgumentError(StrCat("'", made.key, "' is no shared memory"));
  }
  region->device_ = facts.st_dev;
  region->inode_ = facts.st_ino;
  TFRT_RETURN_IF_ERROR(region->CheckSize(0, made.size_bytes));
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t skipped = made.offset % page;
  region->mapped_bytes_ = made.size_bytes + skipped;
  void* const mapped = mmap(nullptr, region->mapped_bytes_, PROT_READ, MAP_SHARED, region->fd_,
                            static_cast<off_t>(made.offset - skipped));
  if (mapped == MAP_FAILED) {
    return ResourceExhaustedError(
        StrCat("cannot map the shared memory '", made.key, "': ", std::strerror(errno)));
  }
  region->mapped_ = mapped;
  region->data_ = static_cast<const std::byte*>(mapped) + skipped;
  region->guard_ = BusGuard::Create(mapped, region->mapped_bytes_);
  if (!region->guard_) {
    return ResourceExhaustedError(
        StrCat("more than ", BusGuard::kMaxGuards, " regions are in use"));
  }
  return std::shared_ptr<const SharedRegion>(std::move(region));
}

Status SharedRegion::CheckSize(uint64_t offset, uint64_t size) const {
  struct stat facts = {};
  const uint64_t needed = info_.offset + offset + size;
  if (fstat(fd_, &facts) == 0 && static_cast<uint64_t>(facts.st_size) >= needed) return OkStatus();
  return InvalidArgumentError(StrCat("the shared memory '", info_.key, "' has ", facts.st_size,
                                     " bytes, but ", needed, " are needed"));
}

Status SharedRegion::Read(uint64_t offset, void* data, size_t size) const {
  auto* next = static_cast<std::byte*>(data);
  uint64_t place = info_.offset + offset;
  while (size > 0) {
    const ssize_t count = pread(fd_, next, size, static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return InvalidArgumentError(
          StrCat("the shared memory '", info_.key, "' ends at byte ", place));
    }
    next += count;
    place += static_cast<uint64_t>(count);
    size -= static_cast<size_t>(count);
  }
  return OkStatus();
}

Status SharedRegion::Write(uint64_t offset, const void* data, size_t size) const {
  const auto* next = static_cast<const std::byte*>(data);
  uint64_t place = info_.offset + offset;
  while (size > 0) {
    const ssize_t count = pwrite(fd_, next, size, static_cast<off_t>(place));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return ResourceExhaustedError(StrCat("cannot write to the shared memory '", info_.key,
                                           "' at byte ", place, ": ", std::strerror(errno)));
    }
    next += count;
    place += static_cast<uint64_t>(count);
    size -= static_cast<size_t>(count);
  }
  return OkStatus();
}

StatusOr<RegionPart> RegionParameters::Part() const {
  if (region && size_bytes) return RegionPart{*region, offset.value_or(0), *size_bytes};
  return InvalidArgumentError(region ? "shared_memory_region needs shared_memory_byte_size"
                                     : "there is no shared_memory_region");
}

Status CheckHasRegions(const SharedRegions* regions) {
  if (regions) return OkStatus();
  return UnimplementedError("shared memory is off: start the server with --shared_memory_mb");
}

Status RegionUse::Finish(std::span<const InferTensor> results) const {
  for (const auto& region : inputs_) TFRT_RETURN_IF_ERROR(region->CheckGuard());
  for (size_t i = 0; i < results.size(); ++i) {
    const RegionPart* const part = OutputPart(i);
    if (!part) continue;
    const size_t size = results[i].tensor.size_bytes();
    if (size > part->size_bytes) {
      return InvalidArgumentError(StrCat("output ", results[i].name, " has ", size,
                                         " bytes, but its place in the region '", part->region,
                                         "' has ", part->size_bytes));
    }
    TFRT_RETURN_IF_ERROR(outputs_[i]->region->CheckSize(part->offset, size));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    const RegionPart* const part = OutputPart(i);
    if (!part) continue;
    const DenseHostTensor& tensor = results[i].tensor;
    TFRT_RETURN_IF_ERROR(
        outputs_[i]->region->Write(part->offset, tensor.data(), tensor.size_bytes()));
  }
  return OkStatus();
}

SharedRegions::SharedRegions(size_t max_bytes) : max_bytes_(max_bytes) {}
SharedRegions::~SharedRegions() = default;

Status SharedRegions::Register(RegionInfo info) {
  if (info.name.empty() || info.name.size() > kMaxNameBytes) {
    return InvalidArgumentError(StrCat("the name of a region has ", info.name.size(),
                                       " bytes, expected 1 to ", kMaxNameBytes));
  }
  if (info.size_bytes == 0) return InvalidArgumentError("a region has no bytes");
  // Sums of both, and of parts, cannot overflow.
  constexpr uint64_t kMaxOffset = uint64_t{1} << 60;
  if (info.offset > kMaxOffset || info.size_bytes > kMaxOffset) {
    return InvalidArgumentError(StrCat("the region begins at ", info.offset, " and has ",
                                       info.size_bytes, " bytes, which no memory has"));
  }
  std::lock_guard lock(mutex_);
  const auto name_of = [](const auto& region) -> const std::string& { return region->info().name; };
  const auto place = std::ranges::lower_bound(regions_, info.name, {}, name_of);
  if (place != regions_.end() && name_of(*place) == info.name) {
    return AlreadyExistsError(StrCat("the region '", info.name, "' is registered already"));
  }
  size_t in_use = 0;
  for (const auto& region : regions_) in_use += region->info().size_bytes;
  if (info.size_bytes > max_bytes_ - std::min(in_use, max_bytes_)) {
    return ResourceExhaustedError(StrCat("the regions have ", in_use, " bytes, and ",
                                         info.size_bytes, " more are above the limit ",
                                         max_bytes_));
  }
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<const SharedRegion> region,
                        SharedRegion::Map(std::move(info)));
  regions_.insert(place, std::move(region));
  return OkStatus();
}

void SharedRegions::Unregister(std::string_view name) {
  std::vector<std::shared_ptr<const SharedRegion>> removed;  // unmapped after the lock
  std::lock_guard lock(mutex_);
  for (auto& region : regions_) {
    if (region->info().name == name) removed.push_back(std::move(region));
  }
  std::erase(regions_, nullptr);
}

void SharedRegions::UnregisterAll() {
  std::vector<std::shared_ptr<const SharedRegion>> removed;
  std::lock_guard lock(mutex_);
  removed.swap(regions_);
}

StatusOr<std::vector<RegionInfo>> SharedRegions::List(std::string_view name) const {
  std::vector<RegionInfo> found;
  std::lock_guard lock(mutex_);
  for (const auto& region : regions_) {
    if (name.empty() || region->info().name == name) found.push_back(region->info());
  }
  if (found.empty() && !name.empty()) {
    return NotFoundError(StrCat("the region '", name, "' is not registered"));
  }
  return found;
}

StatusOr<std::shared_ptr<const SharedRegion>> SharedRegions::Find(const RegionPart& part) const {
  std::shared_ptr<const SharedRegion> found;
  {
    std::lock_guard lock(mutex_);
    for (const auto& region : regions_) {
      if (region->info().name == part.region) found = region;
    }
  }
  if (!found) return NotFoundError(StrCat("the region '", part.region, "' is not registered"));
  const uint64_t size = found->info().size_bytes;
  if (part.offset > size || part.size_bytes > size - part.offset) {
    return InvalidArgumentError(StrCat(part.size_bytes, " bytes at offset ", part.offset,
                                       " are not inside the region '", part.region, "', which has ",
                                       size));
  }
  TFRT_RETURN_IF_ERROR(found->CheckGuard());
  TFRT_RETURN_IF_ERROR(found->CheckSize(part.offset, part.size_bytes));
  return found;
}

StatusOr<DenseHostTensor> SharedRegions::Input(const RegionPart& part,
                                               const TensorMetadata& metadata,
                                               HostAllocator* allocator, RegionUse* use) const {
  TFRT_ASSIGN_OR_RETURN(const size_t size, DenseHostTensor::SizeBytes(metadata));
  if (part.size_bytes != size) {
    return InvalidArgumentError(StrCat("shared_memory_byte_size is ", part.size_bytes,
                                       ", but the shape and datatype need ", size));
  }
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<const SharedRegion> region, Find(part));
  // A request may name the same bytes many times.
  if (size > max_bytes_ - std::min(use->input_bytes_, max_bytes_)) {
    return ResourceExhaustedError(
        StrCat("the inputs in shared memory have more than ", max_bytes_, " bytes together"));
  }
  use->input_bytes_ += size;
  const std::byte* const data = region->data() + part.offset;
  if (size >= kMinBytesInPlace && IsFloat(metadata.dtype) &&
      reinterpret_cast<uintptr_t>(data) % DTypeSize(metadata.dtype) == 0) {
    use->inputs_.push_back(region);
    return DenseHostTensor::CreateFromBuffer(
        metadata,
        HostBuffer::CreateFromConstant(data, size, [region = std::move(region)](void*, size_t) {}));
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor,
                        DenseHostTensor::CreateUninitialized(metadata, allocator));
  if (size == 0) return tensor;
  TFRT_RETURN_IF_ERROR(region->Read(part.offset, tensor.buffer()->data(), size));
  if (metadata.dtype == DType::kI1) {
    const std::span bytes(static_cast<const std::byte*>(tensor.data()), size);
    if (std::ranges::any_of(bytes, [](std::byte byte) { return byte > std::byte{1}; })) {
      return InvalidArgumentError("a byte of the region is no BOOL, neither 0 nor 1");
    }
  }
  return tensor;
}

Status SharedRegions::AddOutput(RegionPart part, size_t index, RegionUse* use) const {
  TFRT_ASSIGN_OR_RETURN(std::shared_ptr<const SharedRegion> region, Find(part));
  for (const std::optional<RegionUse::Output>& other : use->outputs_) {
    if (other && region->Overlaps(part.offset, part.size_bytes, *other->region, other->part.offset,
                                  other->part.size_bytes)) {
      return InvalidArgumentError(StrCat("its place in the region '", part.region,
                                         "' overlaps that of another output in '",
                                         other->part.region, "'"));
    }
  }
  if (use->outputs_.size() <= index) use->outputs_.resize(index + 1);
  use->outputs_[index].emplace(std::move(region), std::move(part));
  return OkStatus();
}

}  // namespace tfrt::serve
