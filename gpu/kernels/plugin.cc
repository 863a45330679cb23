// Defines the symbols that a program looks up in tfrt_gpu.so.

#include "gpu/ops/gpu_op_devices.h"
#include "tfrt/gpu/kernels/gpu_kernels.h"
#include "tfrt/support/status.h"

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  tfrt::gpu::RegisterGpuKernels(registry);
}

extern "C" __attribute__((visibility("default"))) void RegisterDevices(tfrt::HostContext* host,
                                                                       tfrt::Status* status) {
  *status = tfrt::gpu::RegisterGpuOpDevices(*host);
}
