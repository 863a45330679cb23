// DenseGpuTensor: the elements one after the other, row-major, in memory of a GPU.
#ifndef TFRT_GPU_TENSOR_DENSE_GPU_TENSOR_H_
#define TFRT_GPU_TENSOR_DENSE_GPU_TENSOR_H_

#include <atomic>
#include <cassert>
#include <string>
#include <string_view>

#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/memory.h"
#include "gpu/runtime/point.h"
#include "gpu_buffer.h"
#include "tfrt/async/async_value.h"
#include "tfrt/async/type_id.h"
#include "tfrt/host_context/memory_space.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::gpu {

inline constexpr TensorType kDenseGpuTensorType{kDenseGpuName};

// Keeps its memory. The commands that write the elements have been enqueued. The host must not read
// the elements, and a stream reads them after it has waited for written().
class DenseGpuTensor final : public Tensor {
 public:
  static constexpr std::string_view kProgramTypeName = "gpu tensor";
  using AsyncValueBases = BaseTypes<Tensor>;

  // A tensor in `range`, which must have the bytes that the metadata need. `written` is the last
  // command that writes the elements, of a stream of any context. The default is unknown: then all
  // commands that use the memory count.
  DenseGpuTensor(const TensorMetadata& metadata, const MemoryRange& range, Point written = {})
      : DenseGpuTensor(metadata, range.MemoryRef(), range, written) {}
  // As above, with a reference to the memory that the caller has.
  DenseGpuTensor(const TensorMetadata& metadata, RCReference<Memory> memory,
                 const MemoryRange& range, Point written)
      : Tensor(metadata), memory_(std::move(memory)), range_(range), written_(written) {
    assert(memory_.get() == range.memory);
  }
  // Creates a tensor over all bytes of `buffer`, whose memory it shares. InvalidArgument "KERNEL
  // failed: buffer_size (8) is not equal to the number of elements in shape ([3]) times element
  // size (4)". InvalidArgument also if the buffer was released, or is a view that begins between
  // elements.
  static StatusOr<DenseGpuTensor> Create(std::string_view kernel, const TensorMetadata& metadata,
                                         const GpuBuffer& buffer);
  // Moves only values that are not shared yet.
  DenseGpuTensor(DenseGpuTensor&& other) noexcept
      : Tensor(static_cast<Tensor&&>(other)),
        memory_(std::move(other.memory_)),
        range_(other.range_),
        written_(other.written_),
        // relaxed: no other thread has it.
        elements_(other.elements_.exchange(nullptr, std::memory_order_relaxed)) {}
  ~DenseGpuTensor() override;

  // Returns the bytes of the elements; empty if there are none.
  const MemoryRange& range() const { return range_; }
  // Returns the command after which the elements can be read; empty if it is unknown.
  Point written() const { return written_; }
  // Makes the next commands of a stream run after the elements are written.
  Status OrderReads(Stream& stream) const {
    if (written_ && stream.HasSeen(written_)) [[likely]]
      return Status();
    return OrderReadsElsewhere(stream);
  }

  TensorType tensor_type() const override { return kDenseGpuTensorType; }
  // Returns that of the memory's context, which is also that of its GpuDevice. Without memory it is
  // the memory of no device.
  const MemorySpace& memory_space() const override;
  // Made at the first call, so tensors whose elements nobody waits for cost nothing. An error of
  // the device is the one by which it was lost. Its waiters run in tasks of the context's queue.
  AsyncValue* elements() const override;
  // "DenseGpuTensor<dtype=f32, shape=[2, 4], pointer=0x7f2a40000000 (CUDA)>"
  std::string ToString() const override;

 private:
  Status OrderReadsElsewhere(Stream& stream) const;

  RCReference<Memory> memory_;
  MemoryRange range_;
  Point written_;
  // One reference; null until somebody has asked, and while there is nothing to wait for.
  mutable std::atomic<AsyncValue*> elements_{nullptr};
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_TENSOR_DENSE_GPU_TENSOR_H_
