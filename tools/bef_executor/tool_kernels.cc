#include "tool_kernels.h"

#include <cassert>

#include "lib/ops/host_ops/cpu_ops.h"
#include "lib/runtime/host/kernel_modules.h"
#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/maths/compute_backend.h"

namespace tfrt {

void RegisterToolKernels(KernelRegistry* registry) {
#ifdef TFRT_TOOL_LITE
  RegisterAllKernelsButEigen(registry);
#else
  RegisterAllKernels(registry);
#endif
  RegisterCoreRuntimeKernels(registry);
  registry->set_source(MakeKernelModules(OwnModules()));
}

void ConfigureToolKernels(HostContext* host, ComputeBackend backend) {
  [[maybe_unused]] Status status = SetComputeBackend(host, backend);
  assert(status.ok() && "nothing has run on the host");
  host->device_manager().set_source(MakeDeviceModules(OwnModules()));
#ifdef TFRT_TOOL_LITE
  host->GetOrCreateSharedContext<CpuOps>().LeaveOut({"tf.", "_tf."});
#endif
}

}  // namespace tfrt
