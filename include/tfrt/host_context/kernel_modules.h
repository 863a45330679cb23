// Kernel modules: libraries with kernels that a program loads by itself when a file names one.
#ifndef TFRT_HOST_CONTEXT_KERNEL_MODULES_H_
#define TFRT_HOST_CONTEXT_KERNEL_MODULES_H_

#include <memory>
#include <string>
#include <vector>

#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {

// One library, as LoadKernelLibrary takes it, and the beginning of its kernels' names: "tfrt_gpu.".
// It is found where the program's other modules are (tfrt/support/open_module.h).
struct KernelModule {
  std::string prefix;
  std::string file_name;
};

// For KernelRegistry::set_source: a module is loaded when the first kernel of its prefix is looked
// up, once; nothing is opened before. Unavailable "cannot load the module X: REASON", the errors of
// LoadKernelLibrary; NotFound "the module X has no such kernel". Native functions of modules are
// not found.
std::unique_ptr<KernelSource> MakeKernelModules(std::vector<KernelModule> modules);

}  // namespace tfrt

#endif  // TFRT_HOST_CONTEXT_KERNEL_MODULES_H_
