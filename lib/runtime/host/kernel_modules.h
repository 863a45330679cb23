// Modules: libraries with kernels and devices that a program loads when a file or a user names one.
#ifndef TFRT_LIB_RUNTIME_HOST_KERNEL_MODULES_H_
#define TFRT_LIB_RUNTIME_HOST_KERNEL_MODULES_H_

#include <memory>
#include <string>
#include <vector>

#include "tfrt/host_context/device.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// One library, in the form for LoadKernelLibrary. It is searched for like the program's other
// modules (lib/base/support/open_module.h).
struct KernelModule {
  std::vector<std::string> prefixes;  // of its kernels' names: "tfrt_gpu."
  std::string file_name;
  // The kinds of its devices: "gpu". For those the library has a second C function,
  // `RegisterDevices(tfrt::HostContext*, tfrt::Status*)`. It registers them all and sets its error.
  std::vector<std::string> device_kinds = {};
};

// Returns the modules that belong to tfrt: tfrt_gpu.so.
std::vector<KernelModule> OwnModules();

// Makes a source for KernelRegistry::set_source. A module is loaded once, when the first kernel of
// one of its prefixes is looked up; nothing is opened before. Fails with Unavailable "cannot load
// the module X: REASON", with the errors of LoadKernelLibrary, and with NotFound "the module X has
// no such kernel". Native functions of modules are not found.
std::unique_ptr<KernelSource> MakeKernelModules(std::vector<KernelModule> modules);

// Makes a source for DeviceManager::set_source. A module is loaded once, when a device of one of
// its kinds is first requested. Fails like MakeKernelModules, and with FailedPrecondition if the
// library has no devices.
std::unique_ptr<DeviceSource> MakeDeviceModules(std::vector<KernelModule> modules);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_KERNEL_MODULES_H_
