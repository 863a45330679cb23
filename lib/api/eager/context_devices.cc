// The devices that the options of a context name.

#include <algorithm>
#include <iterator>
#include <utility>

#include "context_core.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {

StatusOr<std::vector<ContextDevice>> FindDevices(HostContext* host,
                                                 std::span<const std::string> names) {
  std::vector<RCReference<Device>> devices = {host->GetHostDevice()};
  bool named_host = false;
  std::vector<RCReference<Device>> named;
  for (const std::string& name : names) {
    TFRT_ASSIGN_OR_RETURN(std::vector<RCReference<Device>> of_name,
                          host->device_manager().GetOrCreateDevices(name));
    std::ranges::move(of_name, std::back_inserter(named));
  }
  for (RCReference<Device>& device : named) {
    bool again = std::ranges::find(devices, device) != devices.end();
    if (device == devices[kHostDevice]) again = std::exchange(named_host, true);
    if (again) {
      return InvalidArgumentError(
          StrCat("the devices of a context name ", device->name(), " twice"));
    }
    if (device != devices[kHostDevice]) devices.push_back(std::move(device));
  }
  if (devices.size() > kMaxDevices) {
    return InvalidArgumentError(StrCat("a context has at most ", kMaxDevices,
                                       " devices with cpu:0, but is asked for ", devices.size()));
  }
  auto& memories = host->GetOrCreateSharedContext<DeviceMemories>();
  std::vector<ContextDevice> found;
  for (const RCReference<Device>& device : devices) {
    TFRT_ASSIGN_OR_RETURN(OpPlace place, OpPlace::On(host, device));
    std::shared_ptr<DeviceMemory> memory = memories.Of(device);
    place.allocator = memory->allocator();
    found.push_back({std::move(place), std::move(memory)});
  }
  return found;
}

StatusOr<std::vector<uint8_t>> FindPriority(std::span<const ContextDevice> devices,
                                            std::span<const std::string> names) {
  std::vector<uint8_t> priority;
  auto add = [&](auto&& is_meant) {
    const size_t before = priority.size();
    for (size_t i = 0; i < devices.size(); ++i) {
      if (is_meant(*devices[i].device)) priority.push_back(static_cast<uint8_t>(i));
    }
    return priority.size() > before;
  };
  if (names.empty()) add([](const Device&) { return true; });
  for (const std::string& name : names) {
    const bool is_kind = name.ends_with(":*");
    const std::string_view kind = std::string_view(name).substr(0, name.size() - 2 * is_kind);
    if (add([&](const Device& device) {
          return (is_kind ? device.kind() : device.name()) == kind;
        }))
      continue;
    return NotFoundError(
        StrCat("the device priority names ", name, "; the devices are ", NamesOf(devices)));
  }
  return priority;
}

std::string NamesOf(std::span<const ContextDevice> devices) {
  std::string names;
  for (const ContextDevice& device : devices) {
    names += names.empty() ? "" : ", ";
    names += device.name();
  }
  return names;
}

}  // namespace tfrt::eager
