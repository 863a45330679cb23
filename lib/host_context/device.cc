#include "tfrt/host_context/device.h"

namespace tfrt {

RCReference<Device> DeviceManager::MaybeAddDevice(RCReference<Device> device) {
  std::lock_guard lock(mutex_);
  std::string name = device->name();
  return devices_.try_emplace(std::move(name), std::move(device)).first->second;
}

RCReference<Device> DeviceManager::GetDevice(std::string_view name) const {
  std::lock_guard lock(mutex_);
  auto found = devices_.find(name);
  return found == devices_.end() ? nullptr : found->second;
}

std::vector<RCReference<Device>> DeviceManager::ListDevices() const {
  std::lock_guard lock(mutex_);
  std::vector<RCReference<Device>> devices;
  for (const auto& [name, device] : devices_) devices.push_back(device);
  return devices;
}

}  // namespace tfrt
