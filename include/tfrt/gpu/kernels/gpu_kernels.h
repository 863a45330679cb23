// The kernels of GPU programs, for a host's registry. They come from the plug-in tfrt_gpu.so, or
// are linked into a program. Programs open the plug-in when a file names such a kernel
// (lib/runtime/host/kernel_modules.h).
#ifndef TFRT_GPU_KERNELS_GPU_KERNELS_H_
#define TFRT_GPU_KERNELS_GPU_KERNELS_H_

#include "tfrt/gpu/runtime/gpu_options.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
class KernelRegistry;
}  // namespace tfrt

namespace tfrt::gpu {

// All `tfrt_gpu.*`. Kernels of devices, streams, events, memory, tensors, modules and launches run;
// those of the vendors' other libraries answer Unimplemented with their name. Opens nothing. Call
// at most once per registry.
void RegisterGpuKernels(KernelRegistry* registry);

// For programs that link the GPU half (CMake's tfrt::gpu). Registers the kernels, and the devices
// gpu:0, gpu:1, ..., with a host that has opened no program yet. AlreadyExists if that was done
// before; other errors as for GpuContexts::SetOptions.
Status RegisterGpu(HostContext& host, GpuOptions options = {});

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_GPU_KERNELS_H_
