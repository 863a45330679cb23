// The devices that the options of a context name.

#include <algorithm>
#include <utility>

#include "context_core.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::eager {

StatusOr<std::vector<ContextDevice>> FindDevices(HostContext* host,
                                                 std::span<const std::string> names) {
  std::vector<RCReference<Device>> devices = {host->GetHostDevice()};
  bool named_host = false;
  for (const std::string& name : names) {
    TFRT_ASSIGN_OR_RETURN(RCReference<Device> device,
                          host->device_manager().GetOrCreateDevice(name));
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

}  // namespace tfrt::eager
