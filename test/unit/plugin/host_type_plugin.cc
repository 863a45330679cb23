// A kernel library that was compiled against something else by the name of one of our types.

#include "tfrt/host_context/kernel.h"
#include "tfrt/host_context/kernel_registry.h"

namespace tfrt {
struct TensorShape {
  int32_t dims[100];
};
}  // namespace tfrt

namespace {
int32_t Rank(const tfrt::TensorShape& shape) { return shape.dims[99]; }
}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  registry->AddKernel("plugin.rank", TFRT_KERNEL(Rank));
}
