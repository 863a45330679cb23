#include "kernel_groups.h"
#include "tfrt/kernels/kernels.h"

namespace tfrt {

void RegisterTestKernels(KernelRegistry* registry) {
  RegisterAsyncTestKernels(registry);
  RegisterAsyncValueTestKernels(registry);
  RegisterAttributeTestKernels(registry);
  RegisterBenchmarkKernels(registry);
  RegisterBlockingTestKernels(registry);
  RegisterContextTestKernels(registry);
  RegisterErrorTestKernels(registry);
  RegisterForwardingTestKernels(registry);
  RegisterIntegerTestKernels(registry);
  RegisterLocationTestKernels(registry);
  RegisterNonstrictTestKernels(registry);
  RegisterPromiseTestKernels(registry);
  RegisterResourceTestKernels(registry);
  RegisterStringTestKernels(registry);
  RegisterSyncTestKernels(registry);
}

}  // namespace tfrt
