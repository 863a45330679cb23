#include "memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tfrt/support/str_cat.h"

namespace tfrt::sim {
namespace {

std::string Hex(const void* address) {
  char text[24];
  std::snprintf(text, sizeof(text), "%#llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return text;
}

Status SystemError(std::string_view name, size_t size_bytes, const char* call) {
  return ResourceExhaustedError(
      StrCat(name, ": no memory of ", size_bytes, " bytes: ", call, ": ", std::strerror(errno)));
}

// Distance from `base`; larger than any size if `address` lies before it.
uintptr_t Offset(const void* address, const std::byte* base) {
  return reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base);
}

}  // namespace

StatusOr<std::unique_ptr<Memory>> Memory::Create(std::string name, size_t size_bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  if (size_bytes == 0 || size_bytes > SIZE_MAX / 2) {
    return InvalidArgumentError(StrCat(name, ": cannot have a memory of ", size_bytes, " bytes"));
  }
  size_bytes = (size_bytes + page - 1) / page * page;
  int file = memfd_create("tfrt_sim", MFD_CLOEXEC);
  if (file < 0) return SystemError(name, size_bytes, "memfd_create");
  void* device = MAP_FAILED;
  void* stream = MAP_FAILED;
  const char* failed = nullptr;
  if (ftruncate(file, static_cast<off_t>(size_bytes)) != 0) {
    failed = "ftruncate";
  } else if ((device = mmap(nullptr, size_bytes, PROT_NONE, MAP_SHARED, file, 0)) == MAP_FAILED ||
             (stream = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                            file, 0)) == MAP_FAILED) {
    failed = "mmap";
  }
  if (failed) {
    Status error = SystemError(name, size_bytes, failed);
    if (device != MAP_FAILED) munmap(device, size_bytes);
    close(file);
    return error;
  }
  close(file);  // The mappings keep it.
  // A core file would hold all of it, which only costs if this fails.
  (void)madvise(stream, size_bytes, MADV_DONTDUMP);
  return std::unique_ptr<Memory>(new Memory(std::move(name), size_bytes,
                                            static_cast<std::byte*>(device),
                                            static_cast<std::byte*>(stream)));
}

Memory::~Memory() {
  munmap(device_, size_bytes_);
  munmap(stream_, size_bytes_);
}

bool Memory::Contains(const void* address) const { return Offset(address, device_) < size_bytes_; }

StatusOr<std::byte*> Memory::StreamAddress(const void* device_address, size_t size_bytes) const {
  return Translate(device_address, size_bytes, device_, stream_, "device");
}

StatusOr<std::byte*> Memory::DeviceAddress(const void* stream_address, size_t size_bytes) const {
  return Translate(stream_address, size_bytes, stream_, device_, "stream");
}

StatusOr<std::byte*> Memory::Translate(const void* address, size_t size_bytes,
                                       const std::byte* from, std::byte* to,
                                       std::string_view kind) const {
  uintptr_t offset = Offset(address, from);
  if (offset >= size_bytes_) {
    return InvalidArgumentError(StrCat(Hex(address), " is not a ", kind, " address of ", name_));
  }
  if (size_bytes > size_bytes_ - offset) {
    return OutOfRangeError(StrCat(size_bytes, " bytes at offset ", offset, " of ", name_,
                                  " go past its end (", size_bytes_, " bytes)"));
  }
  return to + offset;
}

}  // namespace tfrt::sim
