// Memory: the memory of a `sim` device, which the host cannot read.
#ifndef TFRT_LIB_DEVICES_SIM_MEMORY_H_
#define TFRT_LIB_DEVICES_SIM_MEMORY_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "tfrt/support/status.h"

namespace tfrt::sim {

// One piece of memory that is mapped twice. Programs pass its *device addresses* around. Reading or
// writing at one ends the process, as with the memory of a real accelerator. Operations use its
// *stream addresses* while they run on a stream. Pages are created when they are first written to,
// so a large memory costs only addresses.
//
// Immutable, so any thread may use it.
class Memory {
 public:
  // Rounds `size_bytes` up to whole pages. Fails with InvalidArgument if it is 0 or too large for
  // an address range. Fails with ResourceExhausted if the system has no range of that size.
  static StatusOr<std::unique_ptr<Memory>> Create(std::string name, size_t size_bytes);
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Returns the name for messages: "sim:0".
  const std::string& name() const { return name_; }
  size_t size_bytes() const { return size_bytes_; }
  // Returns the first device address.
  std::byte* begin() const { return device_; }

  // Returns whether `address` is a device address of this memory.
  bool Contains(const void* address) const;
  // Returns the stream address of the `size_bytes` bytes that begin at a device address, which may
  // lie inside a block. Fails with InvalidArgument if `device_address` is not in this memory, and
  // with OutOfRange if the bytes extend past its end.
  StatusOr<std::byte*> StreamAddress(const void* device_address, size_t size_bytes) const;
  // Reverses StreamAddress, with the same errors.
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

#endif  // TFRT_LIB_DEVICES_SIM_MEMORY_H_
