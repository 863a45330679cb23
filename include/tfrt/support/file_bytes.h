// FileBytes: the bytes of a file with their owner.
#ifndef TFRT_SUPPORT_FILE_BYTES_H_
#define TFRT_SUPPORT_FILE_BYTES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt {

// Owns a private mapping or a 64-byte aligned copy, or borrows memory that the caller keeps alive.
class FileBytes {
 public:
  enum class Access : uint8_t {
    kReadOnly,
    kCopyOnWrite,  // writes stay in memory
  };

  // Maps the file; pages are read when they are first touched. A file that cannot be mapped (a
  // pipe) is read instead. Fails with NotFound or Internal and the system's reason.
  static StatusOr<FileBytes> FromFile(const std::string& path, Access access = Access::kReadOnly);
  // Reads a file descriptor (for example standard input) to its end.
  static StatusOr<FileBytes> FromDescriptor(int fd, std::string_view name);
  static FileBytes CopyOf(std::span<const uint8_t> bytes);
  // Borrows `bytes`, which must be 8-byte aligned, better 64, and outlive all their users.
  static FileBytes Borrow(std::span<const uint8_t> bytes);

  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  std::span<const uint8_t> bytes() const { return bytes_; }
  // True for copies and kCopyOnWrite: bytes() lies in private memory that may be written.
  bool is_writable() const { return is_writable_; }

  // Frees the memory of the pages that lie wholly in `part`, if the file is mapped read-only. Does
  // nothing for other bytes. Pages that are touched later are read again.
  void Forget(std::span<const uint8_t> part) const;

 private:
  enum class Owner : uint8_t { kNobody, kHeap, kMapping };
  FileBytes(std::span<const uint8_t> bytes, Owner owner, bool is_writable)
      : bytes_(bytes), owner_(owner), is_writable_(is_writable) {}

  std::span<const uint8_t> bytes_;
  Owner owner_;
  bool is_writable_;
};

}  // namespace tfrt

#endif  // TFRT_SUPPORT_FILE_BYTES_H_
