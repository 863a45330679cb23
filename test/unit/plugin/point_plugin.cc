// A kernel library that makes values of a type that it shares with its host.

#include "test/unit/plugin/point.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/host_context/kernel_registry.h"

namespace {

plugin_test::Point MakePoint() { return {.x = 3, .y = 4}; }
plugin_test::anonymous_point MakeAnonymousPoint() { return {{.x = 5, .y = 6}}; }
int32_t Fits(int32_t value) { return value; }

}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterKernels(
    tfrt::KernelRegistry* registry) {
  registry->AddKernel("plugin.fits", TFRT_KERNEL(Fits));
  registry->AddKernel("plugin.point", TFRT_KERNEL(MakePoint));
  registry->AddKernel("plugin.anonymous_point", TFRT_KERNEL(MakeAnonymousPoint));
}
