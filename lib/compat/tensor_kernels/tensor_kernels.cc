#include "tfrt/kernels/tensor_kernels.h"

#include "kernel_groups.h"

namespace tfrt {

void RegisterTensorKernels(KernelRegistry* registry) {
  RegisterShapeKernels(registry);
  RegisterDenseCreationKernels(registry);
  RegisterDenseInspectionKernels(registry);
  RegisterDenseBufferKernels(registry);
  RegisterStringTensorKernels(registry);
  RegisterCooKernels(registry);
  RegisterElementwiseKernels(registry);
  RegisterReductionKernels(registry);
  RegisterLayoutKernels(registry);
  RegisterWindowKernels(registry);
}

void RegisterEigenKernels(KernelRegistry* registry) {
  RegisterEigenWindowKernels(registry);
  RegisterGradientKernels(registry);
}

}  // namespace tfrt
