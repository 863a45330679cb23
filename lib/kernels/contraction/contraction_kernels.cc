#include "tfrt/kernels/contraction_kernels.h"

#include "kernel_groups.h"

namespace tfrt {

void RegisterEigenKernels(KernelRegistry* registry) {
  RegisterEigenMatMulKernels(registry);
  RegisterEigenConvolutionKernels(registry);
}

void RegisterContractionKernels(KernelRegistry* registry) {
  RegisterCpuMatMulKernels(registry);
  RegisterCpuConvolutionKernels(registry);
}

}  // namespace tfrt
