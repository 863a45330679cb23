// MemorySpace: one of the memories in which tensors lie: the host's, or one of a device.
#ifndef TFRT_HOST_CONTEXT_MEMORY_SPACE_H_
#define TFRT_HOST_CONTEXT_MEMORY_SPACE_H_

#include <string>
#include <utility>

namespace tfrt {

// One object per memory, identified by its address. Immutable. The space of a device lives as long
// as the device.
class MemorySpace {
 public:
  // `is_host_readable`: any thread of the host may read and write at an address of it.
  MemorySpace(std::string name, bool is_host_readable)
      : name_(std::move(name)), is_host_readable_(is_host_readable) {}
  MemorySpace(const MemorySpace&) = delete;
  MemorySpace& operator=(const MemorySpace&) = delete;

  // Returns the memory of the host, which all CPU devices share. Lives for ever.
  static const MemorySpace& Host();

  // Returns a human-readable name: "host", "sim:0".
  const std::string& name() const { return name_; }
  bool is_host_readable() const { return is_host_readable_; }

 private:
  const std::string name_;
  const bool is_host_readable_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_MEMORY_SPACE_H_
