// Memory: the memory of a `sim` device, which the host cannot read.
#ifndef TFRT_SIM_MEMORY_H_
#define TFRT_SIM_MEMORY_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::sim {

// One piece of memory that is mapped twice. Its *device addresses* are what everybody carries
// about: reading or writing at one ends the process, as with the memory of a real accelerator. Its
// *stream addresses* are for operations while they run on a stream. Pages come to be when they are
// first written to, so that a large memory costs addresses only.
//
// Immutable, so any thread may use it.
class Memory {
 public:
  // `size_bytes` is rounded up to whole pages. InvalidArgument if it is 0 or no size of a range,
  // ResourceExhausted if the system has none that large.
  static StatusOr<std::unique_ptr<Memory>> Create(std::string name, size_t size_bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // For messages: "sim:0".
  const std::string& name() const { return name_; }
  size_t size_bytes() const { return size_bytes_; }
  // The first device address.
  std::byte* begin() const { return device_; }

  // Whether `address` is a device address of this memory.
  bool Contains(const void* address) const;
  // The stream address of the `size_bytes` bytes from a device address on, which may lie inside a
  // block. InvalidArgument if `device_address` is none of this memory, OutOfRange if the bytes go
  // on behind its end.
  StatusOr<std::byte*> StreamAddress(const void* device_address, size_t size_bytes) const;
  // The reverse of StreamAddress, with the same errors.
  StatusOr<std::byte*> DeviceAddress(const void* stream_address, size_t size_bytes) const;

 private:
  Memory(std::string name, size_t size_bytes, std::byte* device, std::byte* stream)
      : name_(std::move(name)), size_bytes_(size_bytes), device_(device), stream_(stream) {}

  StatusOr<std::byte*> Translate(const void* address, size_t size_bytes, const std::byte* from,
                                 std::byte* to, std::string_view kind) const;

  const std::string name_;
  const size_t size_bytes_;
  std::byte* const device_;
  std::byte* const stream_;
};

}  // namespace tfrt::sim

#endif  // TFRT_SIM_MEMORY_H_
