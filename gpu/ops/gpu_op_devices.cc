#include "gpu_op_devices.h"

#include <utility>

#include "conversions.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu_op_runner.h"
#include "tfrt/host_context/host_context.h"

namespace tfrt::gpu {

Status RegisterGpuOpDevices(HostContext& host, GpuOptions options) {
  TFRT_RETURN_IF_ERROR(host.GetOrCreateSharedContext<GpuContexts>().SetOptions(std::move(options)));
  return RegisterGpuOpDevices(host);
}

Status RegisterGpuOpDevices(HostContext& host) {
  TFRT_RETURN_IF_ERROR(RegisterGpuDevices(host));
  TFRT_RETURN_IF_ERROR(
      host.GetOrCreateSharedContext<OpRunnerRegistry>().Add(kGpuKind, MakeGpuOpRunner()));
  return RegisterGpuConversions(&host.GetOrCreateSharedContext<ConversionRegistry>());
}

}  // namespace tfrt::gpu
