#include "tfrt/kernels/cpu_kernels.h"

#include "kernel_groups.h"

namespace tfrt {

void RegisterCpuKernels(KernelRegistry* registry) {
  RegisterCpuElementwiseKernels(registry);
  RegisterCpuReductionKernels(registry);
  RegisterCpuNormalizationKernels(registry);
  RegisterCpuLayoutKernels(registry);
  RegisterCpuPoolingKernels(registry);
  RegisterCpuTrainingKernels(registry);
  RegisterCpuShapeKernels(registry);
}

}  // namespace tfrt
