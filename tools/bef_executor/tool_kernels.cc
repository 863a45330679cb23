#include "tool_kernels.h"

#include "tfrt/core_runtime/core_runtime_kernels.h"
#include "tfrt/kernels/compute_backend.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"

namespace tfrt {

void RegisterToolKernels(KernelRegistry* registry) {
#ifdef TFRT_TOOL_LITE
  RegisterBasicKernels(registry);
  RegisterControlFlowKernels(registry);
  RegisterTestKernels(registry);
  RegisterValueTrackingKernels(registry);
  RegisterNativeTestFunctions(registry);
  RegisterTensorKernels(registry);
  RegisterBtfKernels(registry);
#else
  RegisterAllKernels(registry);
  RegisterCoreRuntimeKernels(registry);
#endif
}

void ConfigureToolKernels(HostContext* host, ComputeBackend backend) {
#ifndef TFRT_TOOL_LITE
  SetComputeBackend(host, backend);
#endif
}

}  // namespace tfrt
