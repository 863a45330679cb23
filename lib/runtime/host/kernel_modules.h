// Kernel modules: libraries with kernels that a program loads automatically when a file names one.
#ifndef TFRT_LIB_RUNTIME_HOST_KERNEL_MODULES_H_
#define TFRT_LIB_RUNTIME_HOST_KERNEL_MODULES_H_

#include <memory>
#include <string>
#include <vector>

#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// One library, in the form for LoadKernelLibrary, and the prefix of its kernels' names:
// "tfrt_gpu.". The library is searched for like the program's other modules
// (lib/base/support/open_module.h).
struct KernelModule {
  std::string prefix;
  std::string file_name;
};

// Makes a source for KernelRegistry::set_source. A module is loaded once, when the first kernel of
// its prefix is looked up; nothing is opened before. Fails with Unavailable "cannot load the module
// X: REASON", with the errors of LoadKernelLibrary, and with NotFound "the module X has no such
// kernel". Native functions of modules are not found.
std::unique_ptr<KernelSource> MakeKernelModules(std::vector<KernelModule> modules);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_HOST_KERNEL_MODULES_H_
