// Kernels of devices and contexts.

#include <cstdint>

#include "gpu/runtime/context.h"
#include "gpu/runtime/gpu_contexts.h"
#include "gpu/wrapper/cuda_driver.h"
#include "gpu/wrapper/cuda_status.h"
#include "kernel_groups.h"
#include "lib/format/op_table/gpu_enums.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "values.h"

namespace tfrt::gpu {
namespace {

GpuContexts& ContextsOf(const ExecutionContext& exec_ctx) {
  return exec_ctx.host()->GetOrCreateSharedContext<GpuContexts>();
}

StatusOr<DeviceValue> DeviceGet(int32_t ordinal, Attribute<int32_t> platform,
                                const ExecutionContext& exec_ctx) {
  const auto value = static_cast<GpuPlatform>(*platform);
  if (value == GpuPlatform::kRocm) return UnimplementedError("Unsupported platform ROCm");
  if (value != GpuPlatform::kCuda) {
    return InvalidArgumentError(
        StrCat("Invalid platform ", PrintGpuEnum(GpuEnum::kPlatform, *platform)));
  }
  TFRT_ASSIGN_OR_RETURN(const cuda::Driver* driver, ContextsOf(exec_ctx).driver());
  const cuda::DriverTable& table = driver->table();
  cuda::CUdevice device = 0;
  TFRT_RETURN_IF_ERROR(cuda::StatusOf(table, table.cuDeviceGet(&device, ordinal),
                                      "'cuDeviceGet(&device, ordinal)'"));
  return DeviceValue{value, ordinal};
}

StatusOr<RCReference<Context>> ContextPrimary(const DeviceValue& device,
                                              const ExecutionContext& exec_ctx) {
  return ContextsOf(exec_ctx).GetPrimary(device.ordinal);
}

StatusOr<RCReference<Context>> ContextCreate(const DeviceValue& device,
                                             const ExecutionContext& exec_ctx) {
  return ContextsOf(exec_ctx).Create(device.ordinal);
}

AllocatorValue AllocatorCreate(const RCReference<Context>& context) { return {context}; }

}  // namespace

void RegisterContextKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.device.get", TFRT_KERNEL(DeviceGet));
  registry->AddKernel("tfrt_gpu.context.primary", TFRT_KERNEL(ContextPrimary));
  registry->AddKernel("tfrt_gpu.context.create", TFRT_KERNEL(ContextCreate));
  registry->AddKernel("tfrt_gpu.allocator.create", TFRT_KERNEL(AllocatorCreate));
}

}  // namespace tfrt::gpu
