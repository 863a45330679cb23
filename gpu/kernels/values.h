// The values of tfrt_gpu programs that have no other home. Contexts, streams and events are
// RCReference<Context>, RCReference<Stream> and RCReference<Event>; buffers GpuBuffer; tensors
// DenseGpuTensor.
#ifndef TFRT_GPU_KERNELS_VALUES_H_
#define TFRT_GPU_KERNELS_VALUES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/runtime/context.h"
#include "gpu/runtime/module.h"
#include "lib/format/op_table/gpu_enums.h"
#include "tfrt/support/ref_count.h"

namespace tfrt::gpu {

// `!tfrt_gpu.device`. There was such a device when it was made.
struct DeviceValue {
  static constexpr std::string_view kProgramTypeName = "device";
  GpuPlatform platform = GpuPlatform::kCuda;
  int32_t ordinal = 0;
};

// `!tfrt_gpu.allocator`: of the context's device memory.
struct AllocatorValue {
  static constexpr std::string_view kProgramTypeName = "allocator";
  RCReference<Context> context;
};

// `!tfrt_gpu.module`, `!tfrt_gpu.function`: code, which they keep.
struct ModuleValue {
  static constexpr std::string_view kProgramTypeName = "module";
  RCReference<Module> module;
};
struct FunctionValue {
  static constexpr std::string_view kProgramTypeName = "function";
  RCReference<Module> module;
  const Function* function = nullptr;
};

// `!tfrt_gpu.entry_point`: which function of a file runs on what.
struct EntryPoint {
  static constexpr std::string_view kProgramTypeName = "entry point";
  GpuPlatform platform = GpuPlatform::kNone;
  std::string function_name;
  std::vector<int64_t> buffer_sizes;  // in bytes
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_VALUES_H_
