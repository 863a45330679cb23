// tfrt_gpu.get_entry_point.

#include <cstdint>
#include <string>

#include "kernel_groups.h"
#include "lib/format/op_table/gpu_enums.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "values.h"

namespace tfrt::gpu {
namespace {

StatusOr<EntryPoint> GetEntryPoint(ArrayAttribute<int64_t> buffer_sizes,
                                   StringAttribute function_name, Attribute<int32_t> platform,
                                   Attribute<int64_t> version) {
  if (*version != kGpuEntryPointVersion) {
    return InvalidArgumentError(
        StrCat("Expected version ", kGpuEntryPointVersion, ", got ", *version));
  }
  return EntryPoint{static_cast<GpuPlatform>(*platform),
                    std::string(function_name.get()),
                    {buffer_sizes.begin(), buffer_sizes.end()}};
}

}  // namespace

void RegisterEntryPointKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.get_entry_point", TFRT_KERNEL(GetEntryPoint));
}

}  // namespace tfrt::gpu
