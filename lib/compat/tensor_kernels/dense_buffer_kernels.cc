// Kernels between dense host tensors and their buffers, and their forms for sync functions.

#include <bit>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <utility>

#include "dense_types.h"
#include "kernel_groups.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

using Buffer = RCReference<HostBuffer>;

StatusOr<Buffer> AllocateBuffer(int64_t size_bytes, int64_t alignment,
                                const ExecutionContext& exec_ctx) {
  if (size_bytes < 0) {
    return InvalidArgumentError(
        StrCat("Cannot allocate host buffer: the size ", size_bytes, " is negative"));
  }
  if (alignment <= 0 || !std::has_single_bit(static_cast<uint64_t>(alignment))) {
    return InvalidArgumentError(
        StrCat("Cannot allocate host buffer: the alignment ", alignment, " is no power of two"));
  }
  Buffer buffer =
      HostBuffer::CreateUninitialized(static_cast<size_t>(size_bytes),
                                      static_cast<size_t>(alignment), exec_ctx.host()->allocator());
  if (!buffer) return ResourceExhaustedError("Cannot allocate host buffer");
  return buffer;
}

std::pair<Buffer, Chain> GetBuffer(const DenseHostTensor& tensor, const Chain&) {
  return {tensor.buffer(), Chain()};
}

StatusOr<Buffer> GetBufferSlice(const Buffer& buffer, int64_t offset, int64_t size_bytes) {
  Buffer slice;
  if (offset >= 0 && size_bytes >= 0) {
    slice = HostBuffer::CreateSlice(buffer, static_cast<size_t>(offset),
                                    static_cast<size_t>(size_bytes));
  }
  if (!slice) return InvalidArgumentError("Cannot allocate host buffer.");
  return slice;
}

Chain PrintBuffer(const Buffer& buffer, const Chain&) {
  std::printf("HostBuffer<pointer=0x%" PRIxPTR ", size=%zu>\n",
              reinterpret_cast<uintptr_t>(buffer->data()), buffer->size());
  std::fflush(stdout);
  return {};
}

template <typename T>
StatusOr<DenseHostTensor> MakeTensorOf(std::string_view kernel, const Buffer& buffer,
                                       const TensorShape& shape) {
  size_t size_bytes;
  if (__builtin_mul_overflow(shape.num_elements(), sizeof(T), &size_bytes) ||
      size_bytes != buffer->size()) {
    return InvalidArgumentError(StrCat(kernel, " failed: buffer_size (", buffer->size(),
                                       ") is not equal to the number of elements in shape (",
                                       shape.ToString(), ") times element size (", sizeof(T), ")"));
  }
  return DenseHostTensor::CreateFromBuffer({DTypeOf<T>(), shape}, buffer);
}

template <typename T>
StatusOr<std::pair<DenseHostTensor, Chain>> MakeTensor(const Buffer& buffer,
                                                       const TensorShape& shape, const Chain&) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor tensor, MakeTensorOf<T>("dht.make_tensor", buffer, shape));
  return std::pair(std::move(tensor), Chain());
}

template <typename T>
StatusOr<DenseHostTensor> MakeTensorSync(const Buffer& buffer, const TensorShape& shape) {
  return MakeTensorOf<T>("tfrt_dht_sync.make_tensor", buffer, shape);
}

// A tensor over a part of a buffer, as memory planning lays them out. It keeps the buffer alive.
// Its elements are what the bytes are.
template <typename T>
StatusOr<DenseHostTensor> TensorInBuffer(const Buffer& buffer, Attribute<int64_t> offset,
                                         ArrayAttribute<int64_t> dims) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims.span()));
  size_t size_bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(shape.num_elements()), sizeof(T), &size_bytes)) {
    return InvalidArgumentError(StrCat("tensor_in_buffer: a tensor of ", DTypeName(DTypeOf<T>()),
                                       " with the shape ", shape.ToString(),
                                       " has too many bytes"));
  }
  if (*offset < 0) {
    return InvalidArgumentError(StrCat("tensor_in_buffer: the offset ", *offset, " is negative"));
  }
  Buffer part = HostBuffer::CreateSlice(buffer, static_cast<size_t>(*offset), size_bytes);
  if (!part) {
    return InvalidArgumentError(StrCat("tensor_in_buffer: ", size_bytes, " bytes at offset ",
                                       *offset, " are not inside a buffer of ", buffer->size(),
                                       " bytes"));
  }
  if (reinterpret_cast<uintptr_t>(part->data()) % alignof(T) != 0) {
    return InvalidArgumentError(StrCat("tensor_in_buffer: offset ", *offset,
                                       " of the buffer is not aligned to ", alignof(T),
                                       " bytes, which ", DTypeName(DTypeOf<T>()), " needs"));
  }
  return DenseHostTensor::CreateFromBuffer({DTypeOf<T>(), std::move(shape)}, std::move(part));
}

}  // namespace

void RegisterDenseBufferKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_dht.allocate_buffer", TFRT_KERNEL(AllocateBuffer));
  registry->AddKernel("tfrt_dht.get_buffer", TFRT_KERNEL(GetBuffer), KernelFlags::kOrderFree);
  registry->AddKernel("tfrt_dht.get_buffer_slice", TFRT_KERNEL(GetBufferSlice));
  registry->AddKernel("tfrt_dht.print_buffer", TFRT_KERNEL(PrintBuffer));
  registry->AddSyncKernel("tfrt_dht_sync.allocate_buffer", TFRT_SYNC_KERNEL(AllocateBuffer));
  registry->AddSyncKernel("tfrt_dht_sync.get_buffer_slice", TFRT_SYNC_KERNEL(GetBufferSlice));
  ForEachDenseType([&]<typename T>(std::type_identity<T>, const std::string& dtype) {
    registry->AddKernel("tfrt_dht.make_tensor." + dtype, TFRT_KERNEL(MakeTensor<T>));
    registry->AddSyncKernel("tfrt_dht_sync.make_tensor." + dtype,
                            TFRT_SYNC_KERNEL(MakeTensorSync<T>));
    registry->AddKernel("tfrt_dht.tensor_in_buffer." + dtype, TFRT_KERNEL(TensorInBuffer<T>));
  });
}

}  // namespace tfrt
