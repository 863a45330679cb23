// tfrt_gpu.function.launch and tfrt_gpu.function.launch.static.

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

// Launches with more arguments take the slow way.
constexpr size_t kFewArguments = 8;

// The buffers that a launch of few arguments uses, until it has returned.
class FewUses {
 public:
  FewUses() {}
  FewUses(const FewUses&) = delete;
  FewUses& operator=(const FewUses&) = delete;
  ~FewUses() {
    for (GpuBuffer::Use* use = uses_; use != end_; ++use) use->~Use();
  }

  // Stays where it is.
  const GpuBuffer::Use& Add(const GpuBuffer& buffer) {
    return *new (end_++) GpuBuffer::Use(buffer);
  }

 private:
  union {
    GpuBuffer::Use uses_[kFewArguments];  // those before `end_` exist
  };
  GpuBuffer::Use* end_ = uses_;
};

// Whether a value holds a number of one of the types itself; sets `argument` then.
template <typename... Ts>
[[gnu::always_inline]] inline bool IsPlainNumber(AsyncValue* value, LaunchArgument* argument) {
  return ([&] {
    const Ts* number = value->GetIfPlain<Ts>();
    if (number) *argument = {number, sizeof(Ts)};
    return number != nullptr;
  }() || ...);
}
// The same of all values.
template <typename... Ts>
bool IsNumber(AsyncValue* value, LaunchArgument* argument) {
  // Ids alone: numbers have no bases that would have to be looked for.
  const TypeId type = value->type_id();
  return ((type == GetTypeId<Ts>() && (*argument = {&value->get<Ts>(), sizeof(Ts)}, true)) || ...);
}

// Handles all launches, and reports errors. The others are checked in this order, too.
[[gnu::noinline]] StatusOr<Chain> LaunchSlow(Stream& stream, const FunctionValue& function,
                                             const LaunchShape& shape,
                                             RemainingArguments arguments) {
  if (&stream.context() != &function.module->context()) {
    return InvalidArgumentError("stream and function are of different contexts");
  }
  std::vector<GpuBuffer::Use> uses;
  uses.reserve(arguments.size());
  std::vector<LaunchArgument> launched(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    AsyncValue* value = arguments[i];
    if (value->type_id() == GetTypeId<GpuBuffer>()) {
      launched[i] = LaunchArgument::OfAddress(*uses.emplace_back(value->get<GpuBuffer>()));
    } else if (!IsNumber<int32_t, float, int64_t, uint32_t, double, bool, uint64_t, Fp16, Bf16,
                         int8_t, int16_t, uint8_t, uint16_t>(value, &launched[i])) {
      return InvalidArgumentError("Unsupported argument type");
    }
  }
  TFRT_RETURN_IF_ERROR(stream.Launch(*function.function, shape, launched).status());
  return Chain();
}

// The driver's sizes have 32 bits.
[[gnu::cold]] Status TooLarge(std::string_view what, uint64_t size) {
  return InvalidArgumentError(StrCat("a launch of ", size, " ", what));
}

// always_inline: it has two callers, and the call takes 20 instructions of their 600.
[[gnu::always_inline]] inline StatusOr<Chain> LaunchOn(Stream& stream, const FunctionValue& value,
                                                       const LaunchShape& shape,
                                                       RemainingArguments arguments,
                                                       const ExecutionContext& exec_ctx) {
  LaunchScope scope("tfrt_gpu.function.launch", exec_ctx.location());
  const Function& function = *value.function;
  const size_t count = arguments.size();
  if (count > kFewArguments || &stream.context() != &value.module->context() ||
      !function.Fits(shape, count) || !function.knows_parameters()) [[unlikely]] {
    return LaunchSlow(stream, value, shape, arguments);
  }
  FewUses uses;
  void* parameters[kFewArguments];
  const Memory* memories[kFewArguments];
  const Memory** memory = memories;
  void** parameter = parameters;
  const uint32_t* size = function.parameter_sizes().data();
  for (size_t i = 0; i < count; ++i) {
    AsyncValue* passed = arguments[i];
    LaunchArgument argument;
    if (const GpuBuffer* buffer = passed->GetIfPlain<GpuBuffer>()) {
      argument = LaunchArgument::OfAddress(*uses.Add(*buffer));
      *memory++ = argument.memory;
    } else if (!IsPlainNumber<int32_t, float, uint32_t, int64_t>(passed, &argument)) [[unlikely]] {
      return LaunchSlow(stream, value, shape, arguments);
    }
    if (argument.size_bytes != *size++) [[unlikely]]
      return LaunchSlow(stream, value, shape, arguments);
    *parameter++ = const_cast<void*>(argument.value);
  }
  StatusOr<Point> enqueued = stream.LaunchChecked(function, shape, parameters, {memories, memory});
  if (!enqueued.ok()) [[unlikely]]
    return enqueued.status();
  return Chain();
}

StatusOr<Chain> Launch(const RCReference<Stream>& stream, const FunctionValue& function,
                       uint64_t grid_x, uint64_t grid_y, uint64_t grid_z, uint64_t block_x,
                       uint64_t block_y, uint64_t block_z, uint32_t shared_bytes, Argument<Chain>,
                       RemainingArguments arguments, const ExecutionContext& exec_ctx) {
  if ((grid_x | grid_y | grid_z) >> 32 != 0) [[unlikely]]
    return TooLarge("blocks along a dimension", std::max({grid_x, grid_y, grid_z}));
  if ((block_x | block_y | block_z) >> 32 != 0) [[unlikely]]
    return TooLarge("threads along a dimension", std::max({block_x, block_y, block_z}));
  auto cut = [](uint64_t size) { return static_cast<uint32_t>(size); };
  const LaunchShape shape = {.grid = {cut(grid_x), cut(grid_y), cut(grid_z)},
                             .block = {cut(block_x), cut(block_y), cut(block_z)},
                             .shared_bytes = shared_bytes};
  return LaunchOn(*stream, function, shape, arguments, exec_ctx);
}

// A launch whose sizes were constants of the program.
StatusOr<Chain> LaunchStatic(const RCReference<Stream>& stream, const FunctionValue& function,
                             Argument<Chain>, RemainingArguments arguments,
                             ArrayAttribute<uint32_t> blocks, Attribute<uint32_t> shared_bytes,
                             ArrayAttribute<uint32_t> threads, const ExecutionContext& exec_ctx) {
  if (blocks.size() != 3 || threads.size() != 3) [[unlikely]]
    return InvalidArgumentError("blocks and threads have three sizes each");
  const LaunchShape shape = {.grid = {blocks[0], blocks[1], blocks[2]},
                             .block = {threads[0], threads[1], threads[2]},
                             .shared_bytes = *shared_bytes};
  return LaunchOn(*stream, function, shape, arguments, exec_ctx);
}

}  // namespace

void RegisterLaunchKernel(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.function.launch", TFRT_KERNEL(Launch));
  registry->AddKernel("tfrt_gpu.function.launch.static", TFRT_KERNEL(LaunchStatic));
}

}  // namespace tfrt::gpu
