// Kernels that write into memory: copies and fills.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/staging.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "reported.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

// --- copies ---

// One end of a copy: memory that the device knows, or the host's own.
struct CopyEnd {
  std::optional<GpuBuffer::Use> gpu;
  RCReference<HostBuffer> host;

  static StatusOr<CopyEnd> Of(AsyncValue* value) {
    CopyEnd end;
    if (value->IsType<GpuBuffer>()) {
      end.gpu.emplace(value->get<GpuBuffer>());
    } else if (value->IsType<RCReference<HostBuffer>>()) {
      end.host = value->get<RCReference<HostBuffer>>();
    } else {
      return InvalidArgumentError(
          StrCat("a '", TypeName(value->type_id()), "' is no buffer to copy"));
    }
    return end;
  }
  size_t size_bytes() const { return gpu ? (*gpu)->size_bytes : host->size(); }
  uint64_t address() const {
    return gpu ? (*gpu)->address : reinterpret_cast<uintptr_t>(host->data());
  }
};

// Behind what the stream has now, as a copy of the device would be.
AsyncValueRef<Chain> CopyInHost(const RCReference<HostBuffer>& to,
                                const RCReference<HostBuffer>& from, Stream& stream,
                                const ExecutionContext& exec_ctx) {
  return stream.Synchronize(&exec_ctx.work_queue()).Map([to, from](Chain&) {
    // The ends may be slices of one block.
    std::memmove(to->data(), from->data(), from->size());
    return Chain();
  });
}

AsyncValueRef<Chain> Enqueue(const CopyEnd& to, const CopyEnd& from,
                             const RCReference<Stream>& stream, const ExecutionContext& exec_ctx) {
  if (to.gpu && from.gpu) {
    Status status = stream->Copy(**to.gpu, **from.gpu).status();
    return status.ok() ? GetReadyChain() : AsyncValueRef<Chain>(std::move(status));
  }
  Staging& staging = stream->context().staging();
  ConcurrentWorkQueue* queue = &exec_ctx.work_queue();
  if (to.gpu) {
    return staging
        .CopyToDevice(stream, **to.gpu, from.host->data(), TaskFunction([host = from.host] {}),
                      queue)
        .Map([](Point&) { return Chain(); });
  }
  if (from.gpu) {
    return staging.CopyToHost(stream, to.host->data(), **from.gpu,
                              TaskFunction([host = to.host] {}), queue);
  }
  return CopyInHost(to.host, from.host, *stream, exec_ctx);
}

StatusOr<AsyncValueRef<Chain>> Copy(AsyncValue* dst, AsyncValue* src,
                                    const RCReference<Stream>& stream, Argument<Chain>,
                                    const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(CopyEnd to, CopyEnd::Of(dst));
  TFRT_ASSIGN_OR_RETURN(CopyEnd from, CopyEnd::Of(src));
  if (to.size_bytes() != from.size_bytes()) {
    return InvalidArgumentError(StrCat("Buffer sizes don't match: ", to.size_bytes(),
                                       " (dst size) vs ", from.size_bytes(), " (src size)"));
  }
  if (to.size_bytes() == 0 || to.address() == from.address()) return GetReadyChain();
  if (to.host && to.host->is_read_only()) {
    return InvalidArgumentError("the destination is a constant, which cannot be written");
  }
  LaunchScope scope("tfrt_gpu.mem.copy", exec_ctx.location());
  return Reported(exec_ctx, Enqueue(to, from, stream, exec_ctx));
}

StatusOr<Chain> Copy2D(const GpuBuffer& dst, uint64_t dst_pitch_bytes, const GpuBuffer& src,
                       uint64_t src_pitch_bytes, uint64_t row_bytes, uint64_t num_rows,
                       const RCReference<Stream>& stream, Argument<Chain>,
                       const ExecutionContext& exec_ctx) {
  if (row_bytes == 0 || num_rows == 0) return Chain();
  GpuBuffer::Use to(dst), from(src);
  if (to.is_empty() || from.is_empty()) {
    return InvalidArgumentError(StrCat("a copy of ", num_rows, " rows of ", row_bytes, " bytes ",
                                       to.is_empty() ? "to" : "from", " an empty buffer"));
  }
  LaunchScope scope("tfrt_gpu.mem.copy_2d", exec_ctx.location());
  TFRT_RETURN_IF_ERROR(stream
                           ->Copy2D(*to, *from,
                                    {.num_rows = num_rows,
                                     .row_bytes = row_bytes,
                                     .to_pitch_bytes = dst_pitch_bytes,
                                     .from_pitch_bytes = src_pitch_bytes})
                           .status());
  return Chain();
}

// --- fills ---

StatusOr<uint32_t> PatternOf(AsyncValue* value) {
  if (value->IsType<uint32_t>()) return value->get<uint32_t>();
  if (value->IsType<int32_t>()) return static_cast<uint32_t>(value->get<int32_t>());
  if (value->IsType<float>()) return std::bit_cast<uint32_t>(value->get<float>());
  return InvalidArgumentError("Expected 32 bit value.");
}

StatusOr<Chain> Set(const GpuBuffer& buffer, AsyncValue* value, const RCReference<Stream>& stream,
                    Argument<Chain>, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(uint32_t pattern, PatternOf(value));
  GpuBuffer::Use use(buffer);
  if (use.is_empty()) return Chain();
  if (use->address % sizeof(pattern) != 0) {
    return InvalidArgumentError(StrCat("the address ", PointerText(use->address),
                                       " is not a multiple of ", sizeof(pattern)));
  }
  LaunchScope scope("tfrt_gpu.mem.set", exec_ctx.location());
  TFRT_RETURN_IF_ERROR(stream->Fill(*use, pattern).status());
  return Chain();
}

}  // namespace

void RegisterCopyKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.mem.copy", TFRT_KERNEL(Copy));
  registry->AddKernel("tfrt_gpu.mem.copy_2d", TFRT_KERNEL(Copy2D));
  registry->AddKernel("tfrt_gpu.mem.set", TFRT_KERNEL(Set));
}

}  // namespace tfrt::gpu
