// DeviceMemory: where the tensors of each device lie.
#ifndef TFRT_EAGER_DEVICE_MEMORY_H_
#define TFRT_EAGER_DEVICE_MEMORY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "small_block_allocator.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/shared_context.h"

namespace tfrt::eager {

inline constexpr uint8_t kHostDevice = 0;
inline constexpr int kMaxDevices = 16;

// One per host, shared by its contexts: a buffer names its allocator, and the last one to hold it
// may be a kernel's thread that is still on its way out when the context has ended. Thread-safe.
class DeviceMemory final : public SharedContext {
 public:
  explicit DeviceMemory(HostContext* host);

  HostAllocator* allocator(uint8_t device) { return devices_[device].allocator.get(); }
  // The same memory; tracing shows the requests.
  HostAllocator* traced_allocator(uint8_t device) { return devices_[device].traced.get(); }

 private:
  struct Device {
    std::unique_ptr<HostAllocator> own_memory;  // null: the host's
    std::unique_ptr<HostAllocator> allocator;
    std::unique_ptr<HostAllocator> traced;
  };
  std::vector<Device> devices_;
};

}  // namespace tfrt::eager

#endif  // TFRT_EAGER_DEVICE_MEMORY_H_
