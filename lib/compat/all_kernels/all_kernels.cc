#include "tfrt/kernels/contraction_kernels.h"
#include "tfrt/kernels/cpu_kernels.h"
#include "tfrt/kernels/kernels.h"
#include "tfrt/kernels/tensor_kernels.h"
#include "tfrt/kernels/test_kernels.h"

namespace tfrt {

void RegisterAllKernels(KernelRegistry* registry) {
  RegisterAllKernelsButEigen(registry);
  RegisterEigenKernels(registry);
  RegisterEigenContractionKernels(registry);
}

void RegisterAllKernelsButEigen(KernelRegistry* registry) {
  RegisterBasicKernels(registry);
  RegisterControlFlowKernels(registry);
  RegisterTestKernels(registry);
  RegisterValueTrackingKernels(registry);
  RegisterNativeTestFunctions(registry);
  RegisterTensorKernels(registry);
  RegisterBtfKernels(registry);
  RegisterCpuContractionKernels(registry);
  RegisterTestMatMulKernels(registry);
  RegisterCpuKernels(registry);
}

}  // namespace tfrt
