#include "dense_gpu_tensor.h"

#include <utility>

#include "gpu/runtime/context.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

StatusOr<DenseGpuTensor> DenseGpuTensor::Create(std::string_view kernel,
                                                const TensorMetadata& metadata,
                                                const GpuBuffer& buffer) {
  GpuBuffer::Use use(buffer);
  if (use.is_empty() && metadata.shape.num_elements() != 0) {
    return InvalidArgumentError("Cannot make tensor from invalid (moved from?) buffer");
  }
  const size_t element_bytes = DTypeSize(metadata.dtype);
  size_t size_bytes;
  if (__builtin_mul_overflow(metadata.shape.num_elements(), element_bytes, &size_bytes) ||
      size_bytes != use->size_bytes) {
    return InvalidArgumentError(StrCat(kernel, " failed: buffer_size (", use->size_bytes,
                                       ") is not equal to the number of elements in shape (",
                                       metadata.shape.ToString(), ") times element size (",
                                       element_bytes, ")"));
  }
  if (use->address % element_bytes != 0) {
    return InvalidArgumentError(StrCat(kernel, " failed: the address ", PointerText(use->address),
                                       " is not a multiple of the element size (", element_bytes,
                                       ")"));
  }
  return DenseGpuTensor(metadata, *use);
}

Status DenseGpuTensor::OrderReadsElsewhere(Stream& stream) const {
  if (written_) return stream.WaitFor(written_);
  return range_.memory ? stream.WaitForUses(*range_.memory) : Status();
}

const MemorySpace& DenseGpuTensor::memory_space() const {
  static const auto& nowhere = *new MemorySpace(std::string(kGpuKind), /*is_host_readable=*/false);
  return memory_ ? memory_->context().memory_space() : nowhere;
}

DenseGpuTensor::~DenseGpuTensor() {
  // relaxed: the thread that destroys the tensor comes after all that have asked.
  if (AsyncValue* made = elements_.load(std::memory_order_relaxed)) made->DropRef();
}

AsyncValue* DenseGpuTensor::elements() const {
  // acquire: sees the value that another thread has made.
  if (AsyncValue* made = elements_.load(std::memory_order_acquire)) return made;
  if (!range_.memory) return nullptr;
  Context& context = range_.memory->context();
  AsyncValueRef<Chain> chain =
      written_ ? context.WhenWritten(written_) : context.WhenUnused(*range_.memory);
  if (chain.IsConcrete()) return nullptr;
  AsyncValue* fresh = chain.ReleaseRCRef().release();
  AsyncValue* found = nullptr;
  // release: others see the value. acquire: as above.
  if (elements_.compare_exchange_strong(found, fresh, std::memory_order_release,
                                        std::memory_order_acquire)) {
    return fresh;
  }
  fresh->DropRef();
  return found;
}

std::string DenseGpuTensor::ToString() const {
  return StrCat("DenseGpuTensor<dtype=", DTypeName(dtype()), ", shape=", shape().ToString(),
                ", pointer=", PointerText(range_.address), ">");
}

}  // namespace tfrt::gpu
