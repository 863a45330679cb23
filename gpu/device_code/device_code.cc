#include "device_code.h"

#include <algorithm>

#include "embedded_modules.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

Status Missing(std::string_view what) {
  if (DeviceModules().empty()) {
    return NotFoundError(StrCat("this tfrt was built without device code: there is no \"", what,
                                "\" (it needs clang 22)"));
  }
  return NotFoundError(StrCat("there is no device code \"", what, "\""));
}

}  // namespace

std::span<const DeviceModule> DeviceModules() { return EmbeddedModules(); }

StatusOr<const DeviceModule*> FindDeviceModule(std::string_view family) {
  for (const DeviceModule& module : DeviceModules()) {
    if (module.family == family) return &module;
  }
  return Missing(family);
}

StatusOr<DeviceKernel> FindDeviceKernel(std::string_view name) {
  for (const DeviceModule& module : DeviceModules()) {
    auto entry = std::ranges::lower_bound(module.entries, name, {}, &DeviceEntry::name);
    if (entry != module.entries.end() && entry->name == name) {
      return DeviceKernel{&module, &*entry};
    }
  }
  return Missing(name);
}

}  // namespace tfrt::gpu
