// Kernels of device code.

#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/module.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "values.h"

namespace tfrt::gpu {
namespace {

StatusOr<ModuleValue> LoadModule(const RCReference<Context>& context, StringAttribute data) {
  if (data.get().empty() || data.get().back() != '\0') {
    return InvalidArgumentError("data attribute must be null-terminated");
  }
  TFRT_ASSIGN_OR_RETURN(RCReference<Module> module, context->LoadModule(data.get()));
  return ModuleValue{std::move(module)};
}

StatusOr<GpuBuffer> GetGlobal(const ModuleValue& module, StringAttribute name) {
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory, module.module->GetGlobal(name.get()));
  return GpuBuffer(std::move(memory));
}

StatusOr<FunctionValue> GetFunction(const ModuleValue& module, StringAttribute name) {
  TFRT_ASSIGN_OR_RETURN(const Function* function, module.module->GetFunction(name.get()));
  return FunctionValue{module.module, function};
}

}  // namespace

void RegisterModuleKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.module.load", TFRT_KERNEL(LoadModule));
  registry->AddKernel("tfrt_gpu.module.get_global", TFRT_KERNEL(GetGlobal));
  registry->AddKernel("tfrt_gpu.module.get_function", TFRT_KERNEL(GetFunction));
}

}  // namespace tfrt::gpu
