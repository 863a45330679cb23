#include "tfrt/gpu/kernels/gpu_kernels.h"

#include <utility>

#include "gpu/ops/gpu_op_devices.h"
#include "kernel_groups.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt::gpu {

void RegisterGpuKernels(KernelRegistry* registry) {
  RegisterContextKernels(registry);
  RegisterStreamKernels(registry);
  RegisterMemoryKernels(registry);
  RegisterCopyKernels(registry);
  RegisterTensorKernels(registry);
  RegisterModuleKernels(registry);
  RegisterLaunchKernel(registry);
  RegisterEntryPointKernel(registry);
  RegisterBlasKernels(registry);
  RegisterDnnDescriptorKernels(registry);
  RegisterDnnGraphKernels(registry);
  RegisterDnnKernels(registry);
  RegisterDnnPlanKernels(registry);
  RegisterUnimplementedKernels(registry);
}

Status RegisterGpu(HostContext& host, GpuOptions options) {
  KernelRegistry kernels;
  RegisterGpuKernels(&kernels);
  TFRT_RETURN_IF_ERROR(host.kernel_registry().Merge(std::move(kernels)));
  return RegisterGpuOpDevices(host, std::move(options));
}

}  // namespace tfrt::gpu
