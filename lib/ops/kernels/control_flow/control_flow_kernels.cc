#include "tfrt/kernels/kernel_groups.h"
#include "tfrt/kernels/kernels.h"

namespace tfrt {

void RegisterControlFlowKernels(KernelRegistry* registry) {
  RegisterCallKernels(registry);
  RegisterBranchKernels(registry);
  RegisterWhileKernel(registry);
  RegisterRepeatKernel(registry);
  RegisterOnceKernel(registry);
  RegisterParallelKernels(registry);
}

}  // namespace tfrt
