// tfrt_gpu.function.launch.

#include <cstdint>

#include "kernel_groups.h"
#include "tfrt/async/chain.h"
#include "tfrt/gpu/kernels/values.h"
#include "tfrt/gpu/runtime/launch.h"
#include "tfrt/gpu/runtime/launch_scope.h"
#include "tfrt/gpu/runtime/stream.h"
#include "tfrt/gpu/tensor/gpu_buffer.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/half.h"
#include "tfrt/support/small_array.h"

namespace tfrt::gpu {
namespace {

// Launches with more allocate.
constexpr size_t kInlineArguments = 12;

// What a launch borrows of one argument, until the launch has returned.
struct Parameter {
  GpuBuffer::Use use;
  cuda::CUdeviceptr address = 0;
};

template <typename... Ts>
bool SetNumber(AsyncValue* value, LaunchArgument* argument) {
  return ((value->IsType<Ts>() && (*argument = {&value->get<Ts>(), sizeof(Ts)}, true)) || ...);
}

Status SetArgument(AsyncValue* value, Parameter* parameter, LaunchArgument* argument) {
  if (value->IsType<GpuBuffer>()) {
    parameter->use = GpuBuffer::Use(value->get<GpuBuffer>());
    parameter->address = parameter->use.address();
    *argument = LaunchArgument::OfAddress(parameter->address, parameter->use.memory());
    return OkStatus();
  }
  if (SetNumber<int32_t, float, int64_t, double, bool, int8_t, int16_t, uint8_t, uint16_t, uint32_t,
                uint64_t, Fp16, Bf16>(value, argument)) {
    return OkStatus();
  }
  return InvalidArgumentError("Unsupported argument type");
}

// Sizes are cut to 32 bits.
StatusOr<Chain> Launch(const RCReference<Stream>& stream, const FunctionValue& function,
                       uint64_t grid_x, uint64_t grid_y, uint64_t grid_z, uint64_t block_x,
                       uint64_t block_y, uint64_t block_z, uint32_t shared_bytes, Argument<Chain>,
                       RemainingArguments arguments, const ExecutionContext& exec_ctx) {
  if (&stream->context() != function.context.get()) {
    return InvalidArgumentError("stream and function are of different contexts");
  }
  SmallArray<Parameter, kInlineArguments> parameters(arguments.size());
  SmallArray<LaunchArgument, kInlineArguments> launch_arguments(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    TFRT_RETURN_IF_ERROR(SetArgument(arguments[i], &parameters[i], &launch_arguments[i]));
  }
  auto cut = [](uint64_t size) { return static_cast<uint32_t>(size); };
  const LaunchShape shape = {.grid = {cut(grid_x), cut(grid_y), cut(grid_z)},
                             .block = {cut(block_x), cut(block_y), cut(block_z)},
                             .shared_bytes = shared_bytes};
  LaunchScope scope("tfrt_gpu.function.launch", exec_ctx.location());
  TFRT_RETURN_IF_ERROR(stream->Launch(*function.function, shape, launch_arguments.span()));
  return Chain();
}

}  // namespace

void RegisterLaunchKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.function.launch", TFRT_KERNEL(Launch));
}

}  // namespace tfrt::gpu
