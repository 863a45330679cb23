#include "tfrt/kernels/contraction_kernels.h"

#include "kernel_groups.h"

namespace tfrt {

void RegisterContractionKernels(KernelRegistry* registry) {
  RegisterEigenMatMulKernels(registry);
  RegisterEigenConvolutionKernels(registry);
  RegisterCpuMatMulKernels(registry);
  RegisterCpuConvolutionKernels(registry);
}

}  // namespace tfrt
