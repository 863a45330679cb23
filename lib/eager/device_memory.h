// DeviceMemory: where the tensors of each device lie.
#ifndef TFRT_EAGER_DEVICE_MEMORY_H_
#define TFRT_EAGER_DEVICE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "copy_set.h"
#include "small_block_allocator.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/shared_context.h"

namespace tfrt::eager {

inline constexpr uint8_t kHostDevice = 0;
inline constexpr int kMaxDevices = 16;

// One per host, shared by its contexts and their tensors: a buffer names its allocator, and the
// last one to hold it may be a tensor whose context has ended, or a kernel's thread that is still
// on its way out then. Thread-safe.
class DeviceMemory {
 public:
  // `host_memory` is that of the first device. It must outlive this.
  explicit DeviceMemory(HostAllocator* host_memory);

  HostAllocator* allocator(uint8_t device) { return devices_[device].allocator.get(); }
  // The same memory; tracing shows the requests.
  HostAllocator* traced_allocator(uint8_t device) { return devices_[device].traced.get(); }
  // Copies that may be dropped. A device that has no memory left drops its own, and tries again.
  CopyRegistry& copies() { return copies_; }

 private:
  struct Device {
    std::unique_ptr<HostAllocator> own_memory;  // null: the host's
    std::unique_ptr<HostAllocator> allocator;
    std::unique_ptr<HostAllocator> traced;
  };
  CopyRegistry copies_;
  std::vector<Device> devices_;
};

// Memory that belongs to no context and is always there.
HostAllocator* ArrayAllocator();

// The memory of a host.
class SharedDeviceMemory final : public SharedContext {
 public:
  explicit SharedDeviceMemory(HostContext* host)
      : memory_(std::make_shared<DeviceMemory>(host->allocator())) {}
  const std::shared_ptr<DeviceMemory>& memory() const { return memory_; }

 private:
  std::shared_ptr<DeviceMemory> memory_;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_DEVICE_MEMORY_H_
