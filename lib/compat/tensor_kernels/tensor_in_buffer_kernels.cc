// tfrt_dht.tensor_in_buffer.*: tensors over parts of one buffer, as memory planning lays them out.

#include <complex>
#include <cstdint>
#include <string>
#include <utility>

#include "kernel_groups.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt {
namespace {

// The tensor keeps the buffer alive. Its elements are what the bytes are.
template <typename T>
StatusOr<DenseHostTensor> TensorInBuffer(const RCReference<HostBuffer>& buffer,
                                         Attribute<int64_t> offset, ArrayAttribute<int64_t> dims) {
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
  RCReference<HostBuffer> part =
      HostBuffer::CreateSlice(buffer, static_cast<size_t>(*offset), size_bytes);
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

template <typename T>
void Register(KernelRegistry* registry, const std::string& dtype) {
  registry->AddKernel("tfrt_dht.tensor_in_buffer." + dtype, TFRT_KERNEL(TensorInBuffer<T>));
}

}  // namespace

void RegisterTensorInBufferKernels(KernelRegistry* registry) {
  Register<uint8_t>(registry, "ui8");
  Register<uint32_t>(registry, "ui32");
  Register<uint64_t>(registry, "ui64");
  Register<int8_t>(registry, "i8");
  Register<int32_t>(registry, "i32");
  Register<int64_t>(registry, "i64");
  Register<float>(registry, "f32");
  Register<double>(registry, "f64");
  Register<bool>(registry, "bool");
  Register<Fp16>(registry, "f16");
  Register<Bf16>(registry, "bf16");
  Register<std::complex<float>>(registry, "complex64");
  Register<std::complex<double>>(registry, "complex128");
}

}  // namespace tfrt
