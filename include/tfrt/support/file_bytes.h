// FileBytes: the bytes of a file with their owner.
#ifndef TFRT_SUPPORT_FILE_BYTES_H_
#define TFRT_SUPPORT_FILE_BYTES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt {

// A private mapping, a 64-byte aligned copy, or memory that the caller keeps alive.
class FileBytes {
 public:
  enum class Access : uint8_t {
    kReadOnly,
    kCopyOnWrite,  // what is written stays in memory
  };

  // Maps the file; nothing is read until it is touched. NotFound/Internal with the system's reason;
  // a file that cannot be mapped (a pipe) is read instead.
  static StatusOr<FileBytes> FromFile(const std::string& path, Access access = Access::kReadOnly);
  // Reads a file descriptor (standard input, say) to its end.
  static StatusOr<FileBytes> FromDescriptor(int fd, std::string_view name);
  static FileBytes CopyOf(std::span<const uint8_t> bytes);
  // `bytes` must be 8-byte aligned, better 64, and outlive all that uses them.
  static FileBytes Borrow(std::span<const uint8_t> bytes);

  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  std::span<const uint8_t> bytes() const { return bytes_; }
  // True for copies and kCopyOnWrite: bytes() lies in memory of its own that may be written.
  bool is_writable() const { return is_writable_; }

  // Gives back the memory of pages that hold `part` and nothing else, if they are those of a file
  // that is mapped to be read; of other bytes, nothing. What is touched again is read again.
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
