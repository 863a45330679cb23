// The groups of GPU kernels, one a file.
#ifndef TFRT_GPU_KERNELS_KERNEL_GROUPS_H_
#define TFRT_GPU_KERNELS_KERNEL_GROUPS_H_

namespace tfrt {
class KernelRegistry;
}  // namespace tfrt

namespace tfrt::gpu {

void RegisterBlasKernels(KernelRegistry* registry);
void RegisterContextKernels(KernelRegistry* registry);
void RegisterCopyKernels(KernelRegistry* registry);
void RegisterDnnDescriptorKernels(KernelRegistry* registry);
void RegisterDnnGraphKernels(KernelRegistry* registry);
void RegisterDnnKernels(KernelRegistry* registry);
void RegisterDnnPlanKernels(KernelRegistry* registry);
void RegisterEntryPointKernel(KernelRegistry* registry);
void RegisterLaunchKernel(KernelRegistry* registry);
void RegisterMemoryKernels(KernelRegistry* registry);
void RegisterModuleKernels(KernelRegistry* registry);
void RegisterStreamKernels(KernelRegistry* registry);
void RegisterTensorKernels(KernelRegistry* registry);
void RegisterUnimplementedKernels(KernelRegistry* registry);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_KERNEL_GROUPS_H_
