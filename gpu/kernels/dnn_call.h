// How `tfrt_gpu.dnn` kernels call cuDNN.
#ifndef TFRT_GPU_KERNELS_DNN_CALL_H_
#define TFRT_GPU_KERNELS_DNN_CALL_H_

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "dnn_values.h"
#include "gpu/libraries/dnn/handles.h"
#include "gpu/libraries/library_call.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu {

// Returns the address of a buffer's bytes for the library; null if there are none.
inline void* DnnAddress(const GpuBuffer::Use& use) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(use->address));
}

// The most memories that one call uses.
inline constexpr size_t kMaxDnnMemories = 8;

// Calls the library with a leased handle of the stream: `call(table, handle)` enqueues there, and
// returns the library's status. Null memories do not count. The texts `op` and `function` live as
// long as the program.
template <typename F>
StatusOr<Chain> CallDnn(std::string_view op, std::string_view function, const DnnHandleValue& value,
                        Stream& stream, std::span<const Memory* const> memories,
                        const ExecutionContext& exec_ctx, F&& call) {
  if (&stream.context() != value.context.get()) {
    return InvalidArgumentError("handle and stream are of different contexts");
  }
  TFRT_ASSIGN_OR_RETURN(const cudnn::Library* library, DnnLibrary());
  const cudnn::Table& table = library->table();
  // Before the stream's call: making a handle may wait for the device.
  TFRT_ASSIGN_OR_RETURN(dnn::Handles::Lease lease, stream.context().Part<dnn::Handles>().Take());
  const Memory* used[kMaxDnnMemories];
  size_t num_used = 0;
  assert(memories.size() <= kMaxDnnMemories);
  for (const Memory* memory : memories) {
    if (memory) used[num_used++] = memory;
  }
  LaunchScope scope(op, exec_ctx.location());
  auto enqueue = [&]() -> Status {
    TFRT_RETURN_IF_ERROR(cudnn::StatusOf(table, table.cudnnSetStream(lease.get(), stream.handle()),
                                         "cudnnSetStream"));
    return cudnn::StatusOf(table, call(table, lease.get()), function);
  };
  TFRT_RETURN_IF_ERROR(CallLibrary(stream, function, std::span(used, num_used), enqueue).status());
  return Chain();
}

// As above, for buffers.
template <typename F>
StatusOr<Chain> CallDnn(std::string_view op, std::string_view function, const DnnHandleValue& value,
                        Stream& stream, std::initializer_list<const GpuBuffer::Use*> uses,
                        const ExecutionContext& exec_ctx, F&& call) {
  const Memory* memories[kMaxDnnMemories];
  size_t num_memories = 0;
  for (const GpuBuffer::Use* use : uses) memories[num_memories++] = (*use)->memory;
  return CallDnn(op, function, value, stream, std::span(memories, num_memories), exec_ctx,
                 std::forward<F>(call));
}

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_KERNELS_DNN_CALL_H_
