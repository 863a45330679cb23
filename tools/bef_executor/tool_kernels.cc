#include "tool_kernels.h"

#include <cassert>

#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/core_runtime/cpu_ops.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_modules.h"
#include "tfrt/kernel_maths/compute_backend.h"
#include "tfrt/kernels/kernels.h"

namespace tfrt {

void RegisterToolKernels(KernelRegistry* registry) {
#ifdef TFRT_TOOL_LITE
  RegisterAllKernelsButEigen(registry);
#else
  RegisterAllKernels(registry);
#endif
  RegisterCoreRuntimeKernels(registry);
  registry->set_source(MakeKernelModules({{"tfrt_gpu.", "tfrt_gpu.so"}}));
}

void ConfigureToolKernels(HostContext* host, ComputeBackend backend) {
  [[maybe_unused]] Status status = SetComputeBackend(host, backend);
  assert(status.ok() && "nothing has run on the host");
#ifdef TFRT_TOOL_LITE
  host->GetOrCreateSharedContext<CpuOps>().LeaveOut({"tf.", "_tf."});
#endif
}

}  // namespace tfrt
