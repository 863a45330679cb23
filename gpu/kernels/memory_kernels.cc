// Kernels that make memory, look at it and give it up.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/gpu_buffer.h"
#include "kernel_groups.h"
#include "tfrt/async/chain.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "values.h"

namespace tfrt::gpu {
namespace {

Status CheckSize(int64_t size_bytes) {
  if (size_bytes >= 0) return OkStatus();
  return InvalidArgumentError(StrCat("buffer size (", size_bytes, ") is negative"));
}

StatusOr<GpuBuffer> Allocate(const AllocatorValue& allocator, const RCReference<Stream>& stream,
                             int64_t size_bytes, Argument<Chain>) {
  TFRT_RETURN_IF_ERROR(CheckSize(size_bytes));
  if (&stream->context() != allocator.context.get()) {
    return InvalidArgumentError("allocator and stream are of different contexts");
  }
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory,
                        allocator.context->Allocate(*stream, static_cast<size_t>(size_bytes)));
  return GpuBuffer(std::move(memory));
}

StatusOr<GpuBuffer> AllocateHost(const RCReference<Context>& context, int64_t size_bytes,
                                 Argument<Chain>) {
  TFRT_RETURN_IF_ERROR(CheckSize(size_bytes));
  TFRT_ASSIGN_OR_RETURN(RCReference<Memory> memory,
                        context->AllocatePinned(static_cast<size_t>(size_bytes)));
  return GpuBuffer(std::move(memory));
}

// The next use of the memory comes after the stream's present work. A buffer without memory stays
// as it is.
Chain Deallocate(GpuBuffer& buffer, const RCReference<Stream>& stream, Argument<Chain>) {
  if (GpuBuffer::Use use(buffer); !use.is_empty()) use->memory->NoteUse(stream->tail());
  buffer.Release();
  return {};
}

StatusOr<GpuBuffer> Register(const RCReference<Context>& context,
                             const RCReference<HostBuffer>& buffer) {
  if (buffer->size() == 0) return GpuBuffer();
  if (buffer->is_read_only()) {
    return InvalidArgumentError("the memory is a constant, which cannot be registered; copy it");
  }
  // The release keeps the host's memory until the driver has been told.
  TFRT_ASSIGN_OR_RETURN(
      RCReference<Memory> memory,
      context->Register(buffer->data(), buffer->size(), TaskFunction([buffer = buffer] {})));
  return GpuBuffer(std::move(memory));
}

StatusOr<GpuBuffer> View(const GpuBuffer& buffer, uint64_t offset_bytes, uint64_t size_bytes) {
  return buffer.View(offset_bytes, size_bytes);
}

// The first `size_bytes` bytes, read by the host.
Status ReadFirst(const GpuBuffer::Use& use, void* to, size_t size_bytes) {
  if (use->size_bytes < size_bytes) {
    return InvalidArgumentError(StrCat("buffer size (", use->size_bytes,
                                       ") is smaller than element size (", size_bytes, ")"));
  }
  const void* from = use->host_address();
  if (!from) {
    return InvalidArgumentError(
        "the buffer is device memory, which the host cannot read; copy it to one of "
        "tfrt_gpu.mem.allocate_host or tfrt_gpu.mem.register");
  }
  std::memcpy(to, from, size_bytes);
  return OkStatus();
}

StatusOr<RCReference<AsyncValue>> Load(const GpuBuffer& buffer, Argument<Chain>,
                                       TypeAttribute type) {
  GpuBuffer::Use use(buffer);
  switch (static_cast<DType>(type.element_code())) {
    case DType::kI1: {
      uint8_t byte = 0;
      TFRT_RETURN_IF_ERROR(ReadFirst(use, &byte, sizeof(byte)));
      return MakeAvailableAsyncValueRef<bool>(byte != 0).ReleaseRCRef();
    }
    case DType::kI32: {
      int32_t number = 0;
      TFRT_RETURN_IF_ERROR(ReadFirst(use, &number, sizeof(number)));
      return MakeAvailableAsyncValueRef<int32_t>(number).ReleaseRCRef();
    }
    default:
      return InvalidArgumentError("unsupported type");
  }
}

// Without a newline.
Chain PrintMetadata(const GpuBuffer& buffer, Argument<Chain>) {
  std::printf("%s", buffer.ToString().c_str());
  std::fflush(stdout);
  return {};
}

// The very value, when the chain is there too.
RCReference<AsyncValue> Alias(AsyncValue* value, Argument<Chain>) { return FormRef(value); }

}  // namespace

void RegisterMemoryKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.mem.allocate", TFRT_KERNEL(Allocate));
  registry->AddKernel("tfrt_gpu.mem.allocate_host", TFRT_KERNEL(AllocateHost));
  registry->AddKernel("tfrt_gpu.mem.deallocate", TFRT_KERNEL(Deallocate));
  registry->AddKernel("tfrt_gpu.mem.register", TFRT_KERNEL(Register));
  registry->AddKernel("tfrt_gpu.mem.view", TFRT_KERNEL(View));
  registry->AddKernel("tfrt_gpu.mem.load", TFRT_KERNEL(Load));
  registry->AddKernel("tfrt_gpu.mem.print_metadata", TFRT_KERNEL(PrintMetadata));
  registry->AddKernel("tfrt_gpu.alias", TFRT_KERNEL(Alias));
}

}  // namespace tfrt::gpu
