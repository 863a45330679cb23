// Devices: where ops compute and tensors lie, by name. "cpu:0" is the host itself.
#ifndef TFRT_HOST_CONTEXT_DEVICE_H_
#define TFRT_HOST_CONTEXT_DEVICE_H_

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {

class HostAllocator;
class HostContext;

// Thread-safe. Shared by all who use it. May outlive its host, but not be asked for memory then.
class Device : public ReferenceCounted<Device> {
 public:
  virtual ~Device() = default;
  // Its kind, a colon and its number among the devices of that kind: "cpu:0".
  const std::string& name() const { return name_; }
  // "cpu", "gpu", ...: which factory made it.
  std::string_view kind() const { return std::string_view(name_).substr(0, name_.find(':')); }

  // Of memory that the host can read, for tensors of this device. Lives as long as the device.
  virtual HostAllocator* allocator() = 0;
  // The name of the tensor type that its ops compute on (tensor/tensor_type.h): "DenseHost".
  virtual std::string_view tensor_type_name() const = 0;

 protected:
  // `name` is what a factory was asked for: see DeviceName.
  explicit Device(std::string name) : name_(std::move(name)) {}

 private:
  const std::string name_;
};

// A name taken apart: "CPU:3" is {"cpu", 3}.
struct DeviceName {
  std::string kind;  // in lower case
  int ordinal = 0;

  // InvalidArgument "'x' does not name a device: KIND:NUMBER, such as cpu:0".
  static StatusOr<DeviceName> Parse(std::string_view name);
  std::string ToString() const;
};

// Makes the device with this number, or says why there is none.
using DeviceFactory = std::function<StatusOr<RCReference<Device>>(HostContext* host, int ordinal)>;

// The devices of a host, made when they are first asked for. Names are compared without regard to
// upper and lower case. Thread-safe. The kind "cpu" is there from the start: cpu:0 has the memory
// of the host, the others have memory of their own.
class DeviceManager {
 public:
  explicit DeviceManager(HostContext* host);
  DeviceManager(const DeviceManager&) = delete;
  DeviceManager& operator=(const DeviceManager&) = delete;

  // AlreadyExists if the kind has a factory, which then stays.
  Status RegisterKind(std::string_view kind, DeviceFactory factory);

  // InvalidArgument for what is no name; NotFound "there are no devices of the kind 'x'; the kinds
  // are cpu"; the factory's error.
  StatusOr<RCReference<Device>> GetOrCreateDevice(std::string_view name);
  // cpu:0. Without a lock.
  const RCReference<Device>& host_device() const { return host_device_; }
  // Null if it has not been made.
  RCReference<Device> GetDevice(std::string_view name) const;
  // Those that have been made, in that order; the first is cpu:0.
  std::vector<RCReference<Device>> ListDevices() const;

 private:
  struct Kind {
    std::string name;
    DeviceFactory factory;
  };
  RCReference<Device> Find(std::string_view name) const;

  HostContext* const host_;
  mutable std::recursive_mutex mutex_;  // a factory may ask for another device
  const RCReference<Device> host_device_;
  std::vector<Kind> kinds_;                   // but "cpu"
  std::vector<RCReference<Device>> devices_;  // the first is the host's
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_DEVICE_H_
