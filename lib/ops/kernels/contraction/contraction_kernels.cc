#include "tfrt/kernels/contraction_kernels.h"

#include "kernel_groups.h"

namespace tfrt {

void RegisterContractionKernels(KernelRegistry* registry) {
  RegisterEigenContractionKernels(registry);
  RegisterCpuContractionKernels(registry);
}

void RegisterEigenContractionKernels(KernelRegistry* registry) {
  RegisterEigenMatMulKernels(registry);
  RegisterEigenConvolutionKernels(registry);
}

void RegisterCpuContractionKernels(KernelRegistry* registry) {
  RegisterCpuMatMulKernels(registry);
  RegisterCpuConvolutionKernels(registry);
}

}  // namespace tfrt
