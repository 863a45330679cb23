// Devices by name. The host's own is "CPU:0".
#ifndef TFRT_HOST_CONTEXT_DEVICE_H_
#define TFRT_HOST_CONTEXT_DEVICE_H_

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/ref_count.h"

namespace tfrt {

class Device : public ReferenceCounted<Device> {
 public:
  virtual ~Device() = default;
  const std::string& name() const { return name_; }
  // "cpu", "gpu", ...: which implementation this is.
  std::string_view type_name() const { return type_name_; }

 protected:
  // `type_name` is a literal.
  Device(std::string_view type_name, std::string name)
      : type_name_(type_name), name_(std::move(name)) {}

 private:
  std::string_view type_name_;
  std::string name_;
};

class CpuDevice : public Device {
 public:
  static constexpr std::string_view kTypeName = "cpu";
  explicit CpuDevice(std::string name) : Device(kTypeName, std::move(name)) {}
};

// Thread-safe.
class DeviceManager {
 public:
  // Adds the device and returns it, or returns the one that already has its name.
  RCReference<Device> MaybeAddDevice(RCReference<Device> device);
  // Null if there is none.
  RCReference<Device> GetDevice(std::string_view name) const;
  // All devices, by name.
  std::vector<RCReference<Device>> ListDevices() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, RCReference<Device>, std::less<>> devices_;
};

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_DEVICE_H_
