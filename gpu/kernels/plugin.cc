// Defines the symbols that a program looks up in tfrt_gpu.so.

#include "tfrt/gpu/kernels/gpu_kernels.h"

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  tfrt::gpu::RegisterGpuKernels(registry);
}
