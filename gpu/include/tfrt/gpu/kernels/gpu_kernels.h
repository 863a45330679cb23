// The kernels of GPU programs, for a host's registry: by the plug-in tfrt_gpu.so, which programs
// open when a file names such a kernel (host_context/kernel_modules.h), or linked into a program.
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

// For programs that link the GPU half (CMake's tfrt::gpu): registers the kernels, and the devices
// gpu:0, gpu:1, ..., with a host that has opened no program yet. AlreadyExists if that was done
// before; as GpuContexts::SetOptions.
Status RegisterGpu(HostContext& host, GpuOptions options = {});

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_GPU_KERNELS_H_
