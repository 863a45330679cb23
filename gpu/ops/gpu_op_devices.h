// GPUs as devices that run ops.
#ifndef TFRT_GPU_OPS_GPU_OP_DEVICES_H_
#define TFRT_GPU_OPS_GPU_OP_DEVICES_H_

#include "gpu/runtime/gpu_contexts.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::gpu {

// Registers the kind "gpu" at a host (RegisterGpuDevices), how ops run on it, and the conversions
// of tensors to and from it. Opens nothing. Must come before the host's first conversion and its
// first context of eager ops. Fails with AlreadyExists if the kind is registered.
Status RegisterGpuOpDevices(HostContext& host);
// As above, with options. Also returns the errors of GpuContexts::SetOptions.
Status RegisterGpuOpDevices(HostContext& host, GpuOptions options);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_OPS_GPU_OP_DEVICES_H_
