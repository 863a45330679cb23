#include "kernel_modules.h"

#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "lib/base/support/open_module.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// A module, and what becomes of loading it, which happens once.
struct Loaded {
  explicit Loaded(KernelModule description) : description(std::move(description)) {}
  const KernelModule description;
  std::once_flag once;
  // Written once.
  Status status;
  KernelRegistry kernels;
};

std::deque<Loaded> ToLoad(std::vector<KernelModule> descriptions) {
  std::deque<Loaded> modules;
  for (KernelModule& description : descriptions) modules.emplace_back(std::move(description));
  return modules;
}

class KernelModules final : public KernelSource {
 public:
  explicit KernelModules(std::vector<KernelModule> modules)
      : modules_(ToLoad(std::move(modules))) {}

  const KernelEntry* FindKernel(const KernelRegistry& asked, std::string_view name,
                                Status* error) override {
    for (Loaded& module : modules_) {
      const auto begins_name = [&](const std::string& prefix) { return name.starts_with(prefix); };
      if (std::ranges::none_of(module.description.prefixes, begins_name)) continue;
      std::call_once(module.once, [&] { module.status = Load(asked, &module); });
      if (!module.status.ok()) {
        *error = module.status;
        return nullptr;
      }
      const KernelEntry* entry = module.kernels.FindKernel(name);
      if (!entry) {
        *error = NotFoundError(
            StrCat("the module ", module.description.file_name, " has no such kernel"));
      }
      return entry;
    }
    return nullptr;
  }

 private:
  static Status Load(const KernelRegistry& asked, Loaded* module) {
    // The program's types first: a layout that disagrees with them is then the module's.
    (void)asked.CheckTypes();
    TFRT_ASSIGN_OR_RETURN(void* library, OpenModule(module->description.file_name));
    return AddKernelsOfLibrary(library, module->description.file_name, &module->kernels);
  }

  std::deque<Loaded> modules_;  // stay where they are
};

class DeviceModules final : public DeviceSource {
 public:
  explicit DeviceModules(std::vector<KernelModule> modules)
      : modules_(ToLoad(std::move(modules))) {}

  Status RegisterKind(HostContext* host, std::string_view kind) override {
    for (Loaded& module : modules_) {
      const auto& kinds = module.description.device_kinds;
      if (std::ranges::find(kinds, kind) == kinds.end()) continue;
      std::call_once(module.once,
                     [&] { module.status = Load(host, module.description.file_name); });
      return module.status;
    }
    return OkStatus();
  }

 private:
  static Status Load(HostContext* host, const std::string& file_name) {
    TFRT_ASSIGN_OR_RETURN(void* library, OpenModule(file_name));
    TFRT_RETURN_IF_ERROR(CheckKernelInterface(library, file_name));
    using RegisterFn = void (*)(HostContext*, Status*);
    auto register_devices = reinterpret_cast<RegisterFn>(dlsym(library, "RegisterDevices"));
    if (!register_devices) {
      return FailedPreconditionError(
          StrCat("library '", file_name, "' has no C symbol 'RegisterDevices'"));
    }
    Status status;
    register_devices(host, &status);
    return status;
  }

  std::deque<Loaded> modules_;  // stay where they are
};

}  // namespace

std::vector<KernelModule> OwnModules() {
  return {{.prefixes = {"tfrt_gpu."}, .file_name = "tfrt_gpu.so", .device_kinds = {"gpu"}}};
}

std::unique_ptr<KernelSource> MakeKernelModules(std::vector<KernelModule> modules) {
  return std::make_unique<KernelModules>(std::move(modules));
}

std::unique_ptr<DeviceSource> MakeDeviceModules(std::vector<KernelModule> modules) {
  return std::make_unique<DeviceModules>(std::move(modules));
}

}  // namespace tfrt
