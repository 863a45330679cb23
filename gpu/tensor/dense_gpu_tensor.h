// DenseGpuTensor: the elements one after the other, row-major, in memory of a GPU.
#ifndef TFRT_GPU_TENSOR_DENSE_GPU_TENSOR_H_
#define TFRT_GPU_TENSOR_DENSE_GPU_TENSOR_H_

#include <string>
#include <string_view>

#include "gpu/abi/cuda_types.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/memory.h"
#include "gpu_buffer.h"
#include "tfrt/async/type_id.h"
#include "tfrt/host_context/memory_space.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::gpu {

inline constexpr TensorType kDenseGpuTensorType{kDenseGpuName};

// Shares the memory of a buffer, and keeps it whatever happens to the buffer. The commands that
// write the elements have been enqueued; the host must not read the elements.
class DenseGpuTensor final : public Tensor {
 public:
  static constexpr std::string_view kProgramTypeName = "gpu tensor";
  using AsyncValueBases = BaseTypes<Tensor>;

  // Creates a tensor over all bytes of `buffer`. InvalidArgument "KERNEL failed: buffer_size (8) is
  // not equal to the number of elements in shape ([3]) times element size (4)". InvalidArgument
  // also if the buffer was released, or is a view that begins between elements.
  static StatusOr<DenseGpuTensor> Create(std::string_view kernel, TensorMetadata metadata,
                                         const GpuBuffer& buffer);
  DenseGpuTensor(DenseGpuTensor&&) = default;

  // Returns the bytes of the elements; empty if there are none.
  const MemoryRange& range() const { return range_; }

  TensorType tensor_type() const override { return kDenseGpuTensorType; }
  // Returns that of the memory's context, which is also that of its GpuDevice. Without memory it is
  // the memory of no device.
  const MemorySpace& memory_space() const override;
  // "DenseGpuTensor<dtype=f32, shape=[2, 4], pointer=0x7f2a40000000 (CUDA)>"
  std::string ToString() const override;

 private:
  DenseGpuTensor(TensorMetadata metadata, const MemoryRange& range)
      : Tensor(std::move(metadata)), memory_(range.MemoryRef()), range_(range) {}

  RCReference<Memory> memory_;
  MemoryRange range_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_TENSOR_DENSE_GPU_TENSOR_H_
