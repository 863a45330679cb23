// DeviceMemory: where the tensors of a device lie that the host can read.
#ifndef TFRT_LIB_API_EAGER_DEVICE_MEMORY_H_
#define TFRT_LIB_API_EAGER_DEVICE_MEMORY_H_

#include <memory>
#include <mutex>
#include <vector>

#include "copy_set.h"
#include "small_block_allocator.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/ref_count.h"

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::eager {

// One per device, shared by the contexts that have the device and by their tensors. A buffer holds
// its allocator. The last object to hold it may be a tensor whose context has ended, or a kernel's
// thread that is still returning then. Thread-safe.
class DeviceMemory {
 public:
  DeviceMemory(RCReference<Device> device, std::shared_ptr<CopyRegistry> copies);

  // The device's, with small blocks from the pool. A device that has no memory left makes room
  // (Device::MakeRoom), and tries again.
  HostAllocator* allocator() { return &allocator_; }
  // The same memory; tracing shows the requests.
  HostAllocator* recording_allocator() { return recording_.get(); }
  // Drops copies of tensors that are on this device and are not read. Returns their number.
  size_t DropCopies() { return copies_->DropCopies(nullptr, this, /*available=*/true); }

 private:
  const RCReference<Device> device_;
  const std::shared_ptr<CopyRegistry> copies_;
  SmallBlockAllocator allocator_;
  const std::unique_ptr<HostAllocator> recording_;
};

// Memory that belongs to no context and is always there.
HostAllocator* ArrayAllocator();

// The memories of a host's devices, and the copies that its contexts' tensors remember.
class DeviceMemories final : public SharedContext {
 public:
  explicit DeviceMemories(HostContext*) {}

  // Made when it is first asked for.
  std::shared_ptr<DeviceMemory> Of(const RCReference<Device>& device);
  const std::shared_ptr<CopyRegistry>& copies() const { return copies_; }

 private:
  struct Entry {
    const Device* device;
    std::shared_ptr<DeviceMemory> memory;
  };
  const std::shared_ptr<CopyRegistry> copies_ = std::make_shared<CopyRegistry>();
  std::mutex mutex_;
  std::vector<Entry> entries_;  // under mutex_
};

}  // namespace tfrt::eager

#endif  // TFRT_LIB_API_EAGER_DEVICE_MEMORY_H_
