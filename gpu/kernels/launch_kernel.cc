// tfrt_gpu.function.launch.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <vector>

#include "gpu/runtime/launch.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/half.h"
#include "tfrt/support/str_cat.h"
#include "values.h"

namespace tfrt::gpu {
namespace {

// Launches with more allocate.
constexpr size_t kInlineArguments = 8;

// The buffers that a launch uses, until it has returned.
class Uses {
 public:
  explicit Uses(size_t max_size) {
    if (max_size > kInlineArguments) [[unlikely]]
      heap_.reserve(max_size);
  }
  Uses(const Uses&) = delete;
  Uses& operator=(const Uses&) = delete;
  ~Uses() {
    for (size_t i = 0; i < size_; ++i) inline_[i].~Use();
  }

  // Stays where it is.
  const GpuBuffer::Use& Add(const GpuBuffer& buffer) {
    if (heap_.capacity() != 0) [[unlikely]]
      return heap_.emplace_back(buffer);
    return *new (&inline_[size_++]) GpuBuffer::Use(buffer);
  }

 private:
  union {
    GpuBuffer::Use inline_[kInlineArguments];  // the first size_
  };
  size_t size_ = 0;
  std::vector<GpuBuffer::Use> heap_;
};

template <typename... Ts>
bool SetNumber(AsyncValue* value, LaunchArgument* argument) {
  // Ids alone: numbers have no bases that would have to be looked for.
  static const TypeId ids[] = {GetTypeId<Ts>()...};
  const TypeId type = value->type_id();
  size_t index = 0;
  return ((type == ids[index++] && (*argument = {&value->get<Ts>(), sizeof(Ts)}, true)) || ...);
}

Status SetArgument(AsyncValue* value, Uses* uses, LaunchArgument* argument) {
  if (value->type_id() == GetTypeId<GpuBuffer>()) {
    const GpuBuffer::Use& use = uses->Add(value->get<GpuBuffer>());
    *argument = LaunchArgument::OfAddress(*use);
    return OkStatus();
  }
  if (SetNumber<int32_t, float, int64_t, uint32_t, double, bool, uint64_t, Fp16, Bf16, int8_t,
                int16_t, uint8_t, uint16_t>(value, argument)) {
    return OkStatus();
  }
  return InvalidArgumentError("Unsupported argument type");
}

// The driver's sizes have 32 bits.
[[gnu::cold]] Status TooLarge(std::string_view what, uint64_t size) {
  return InvalidArgumentError(StrCat("a launch of ", size, " ", what));
}

StatusOr<Chain> Launch(const RCReference<Stream>& stream, const FunctionValue& function,
                       uint64_t grid_x, uint64_t grid_y, uint64_t grid_z, uint64_t block_x,
                       uint64_t block_y, uint64_t block_z, uint32_t shared_bytes, Argument<Chain>,
                       RemainingArguments arguments, const ExecutionContext& exec_ctx) {
  if (&stream->context() != &function.module->context()) {
    return InvalidArgumentError("stream and function are of different contexts");
  }
  Uses uses(arguments.size());
  LaunchArgument inline_arguments[kInlineArguments];
  std::vector<LaunchArgument> more_arguments;
  LaunchArgument* first = inline_arguments;
  if (arguments.size() > kInlineArguments) [[unlikely]] {
    more_arguments.resize(arguments.size());
    first = more_arguments.data();
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    TFRT_RETURN_IF_ERROR(SetArgument(arguments[i], &uses, first + i));
  }
  if ((grid_x | grid_y | grid_z) >> 32 != 0) [[unlikely]]
    return TooLarge("blocks along a dimension", std::max({grid_x, grid_y, grid_z}));
  if ((block_x | block_y | block_z) >> 32 != 0) [[unlikely]]
    return TooLarge("threads along a dimension", std::max({block_x, block_y, block_z}));
  auto cut = [](uint64_t size) { return static_cast<uint32_t>(size); };
  const LaunchShape shape = {.grid = {cut(grid_x), cut(grid_y), cut(grid_z)},
                             .block = {cut(block_x), cut(block_y), cut(block_z)},
                             .shared_bytes = shared_bytes};
  LaunchScope scope("tfrt_gpu.function.launch", exec_ctx.location());
  TFRT_RETURN_IF_ERROR(
      stream->Launch(*function.function, shape, {first, arguments.size()}).status());
  return Chain();
}

}  // namespace

void RegisterLaunchKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.function.launch", TFRT_KERNEL(Launch));
}

}  // namespace tfrt::gpu
