// DenseHostTensor: a tensor whose elements lie one after the other, row-major, in host memory.
#ifndef TFRT_TENSOR_DENSE_HOST_TENSOR_H_
#define TFRT_TENSOR_DENSE_HOST_TENSOR_H_

#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

#include "tfrt/async/type_id.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// A dense tensor shares its buffer: ShareBuffer makes a second tensor over the same bytes. Movable,
// not copyable. Not synchronised: code that writes elements must be ordered (by chains) against all
// other users of the buffer.
class DenseHostTensor final : public Tensor {
 public:
  static constexpr std::string_view kProgramTypeName = "dense tensor";
  using AsyncValueBases = BaseTypes<Tensor>;

  // Alignment in bytes of the memory of new tensors.
  static constexpr size_t kAlignment = 64;

  // Returns the number of bytes of the elements, on any device. Fails like CreateUninitialized.
  static StatusOr<size_t> SizeBytes(const TensorMetadata& metadata);

  // Makes a tensor whose elements are not set yet. Fails with ResourceExhausted "Cannot allocate
  // tensor" if the allocator fails or the size in bytes does not fit. Fails with InvalidArgument
  // for a dtype without size.
  static StatusOr<DenseHostTensor> CreateUninitialized(TensorMetadata metadata,
                                                       HostAllocator* allocator);

  // Makes a tensor over `buffer`. The buffer must have exactly the bytes that the metadata need and
  // be aligned for the dtype. Otherwise it fails with InvalidArgument.
  static StatusOr<DenseHostTensor> CreateFromBuffer(TensorMetadata metadata,
                                                    RCReference<HostBuffer> buffer);

  // Makes a read-only tensor over the bytes of a constant, without a copy. Nothing keeps them
  // alive: the BEF file must outlive the tensor and all that shares its buffer. Fails with
  // InvalidArgument if the constant contradicts itself.
  static StatusOr<DenseHostTensor> CreateFromConstant(DenseAttribute constant);

  // Makes a tensor with the metadata of `other`, whose elements are not set yet. The `buffer` must
  // be as CreateUninitialized would allocate it.
  static DenseHostTensor CreateLike(const DenseHostTensor& other, RCReference<HostBuffer> buffer) {
    assert(buffer->size() == other.size_bytes());
    return {other.metadata(), std::move(buffer)};
  }

  DenseHostTensor(DenseHostTensor&&) = default;
  DenseHostTensor& operator=(DenseHostTensor&&) = default;

  // Returns a second tensor over the same bytes.
  DenseHostTensor ShareBuffer() const { return {metadata(), buffer_}; }

  // Returns a tensor of rank 1 over the same bytes.
  DenseHostTensor Flatten() const { return {{dtype(), TensorShape{num_elements()}}, buffer_}; }
  // Copies all elements. Returns InvalidArgument unless `target` has the same dtype and as many
  // elements, and FailedPrecondition if `target` is read-only.
  Status CopyTo(DenseHostTensor& target) const;

  const void* data() const { return buffer_->data(); }
  size_t size_bytes() const { return buffer_->size(); }
  const RCReference<HostBuffer>& buffer() const { return buffer_; }
  // Moves the buffer out and leaves the tensor without one.
  RCReference<HostBuffer> TakeBuffer() && { return std::move(buffer_); }

  // True for constants: their bytes may lie in memory that cannot be written.
  bool is_read_only() const { return buffer_->is_read_only(); }
  // Returns the bytes for writing, or FailedPrecondition for a read-only tensor.
  StatusOr<void*> MutableData();

  TensorType tensor_type() const override { return kDenseHostTensorType; }
  // Returns "DenseHostTensor dtype = f32, shape = [2, 3], values = [...]", with at most 16
  // elements.
  std::string ToString() const override;

 private:
  DenseHostTensor(TensorMetadata metadata, RCReference<HostBuffer> buffer)
      : Tensor(std::move(metadata)), buffer_(std::move(buffer)) {}

  RCReference<HostBuffer> buffer_;  // null only in a moved-from tensor
};

}  // namespace tfrt

#endif  // TFRT_TENSOR_DENSE_HOST_TENSOR_H_
