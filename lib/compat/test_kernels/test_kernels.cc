#include "tfrt/kernels/test_kernels.h"
#include "kernel_groups.h"

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
