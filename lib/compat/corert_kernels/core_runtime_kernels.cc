#include "tfrt/core_runtime/core_runtime_kernels.h"

#include "kernel_groups.h"
#include "tfrt/core_runtime/graph_kernels.h"

namespace tfrt {

void RegisterCoreRuntimeKernels(KernelRegistry* registry) {
  RegisterOpHandlerKernels(registry);
  RegisterExecuteKernels(registry);
  RegisterTensorConstantKernels(registry);
  RegisterTransferKernels(registry);
  RegisterEagerControlFlowKernels(registry);
  RegisterOpAttrsKernels(registry);
  RegisterSyncCoreRuntimeKernels(registry);
  RegisterGraphKernels(registry);
}

}  // namespace tfrt
