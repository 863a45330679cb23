#include "tfrt/tensor/dense_host_tensor.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

constexpr int64_t kMaxPrintedElements = 16;

// Alignment in bytes that elements need; a complex number is aligned like its parts.
size_t ElementAlignment(DType dtype) {
  if (dtype == DType::kComplex64) return alignof(std::complex<float>);
  return std::min<size_t>(DTypeSize(dtype), 8);
}

// In line: asked for each tensor that an op makes.
[[gnu::always_inline]] inline StatusOr<size_t> BytesOf(const TensorMetadata& metadata) {
  size_t element_size = DTypeSize(metadata.dtype);
  if (element_size == 0) {
    return InvalidArgumentError(
        StrCat("a dense tensor cannot hold elements of type ", DTypeName(metadata.dtype)));
  }
  TFRT_RETURN_IF_ERROR(metadata.shape.CheckSize());
  int64_t size_bytes;
  if (__builtin_mul_overflow(metadata.shape.num_elements(), static_cast<int64_t>(element_size),
                             &size_bytes)) {
    return ResourceExhaustedError("Cannot allocate tensor");
  }
  return static_cast<size_t>(size_bytes);
}

Status CheckBytes(const TensorMetadata& metadata, const void* data, size_t size_bytes) {
  TFRT_ASSIGN_OR_RETURN(size_t expected_bytes, BytesOf(metadata));
  if (size_bytes != expected_bytes) {
    return InvalidArgumentError(StrCat("a tensor of ", DTypeName(metadata.dtype),
                                       " with the shape ", metadata.shape.ToString(), " needs ",
                                       expected_bytes, " bytes, but the buffer has ", size_bytes));
  }
  size_t alignment = ElementAlignment(metadata.dtype);
  if (reinterpret_cast<uintptr_t>(data) % alignment != 0) {
    return InvalidArgumentError(StrCat("the buffer of a tensor of ", DTypeName(metadata.dtype),
                                       " is not aligned to ", alignment, " bytes"));
  }
  return OkStatus();
}

}  // namespace

StatusOr<size_t> DenseHostTensor::SizeBytes(const TensorMetadata& metadata) {
  return BytesOf(metadata);
}

StatusOr<DenseHostTensor> DenseHostTensor::CreateUninitialized(TensorMetadata metadata,
                                                               HostAllocator* allocator) {
  TFRT_ASSIGN_OR_RETURN(size_t size_bytes, BytesOf(metadata));
  RCReference<HostBuffer> buffer =
      HostBuffer::CreateUninitialized(size_bytes, kAlignment, allocator);
  if (!buffer) return ResourceExhaustedError("Cannot allocate tensor");
  return DenseHostTensor(std::move(metadata), std::move(buffer));
}

StatusOr<DenseHostTensor> DenseHostTensor::CreateFromBuffer(TensorMetadata metadata,
                                                            RCReference<HostBuffer> buffer) {
  TFRT_RETURN_IF_ERROR(CheckBytes(metadata, buffer->data(), buffer->size()));
  return DenseHostTensor(std::move(metadata), std::move(buffer));
}

StatusOr<DenseHostTensor> DenseHostTensor::CreateFromConstant(DenseAttribute constant) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(constant.shape()));
  TensorMetadata metadata{DTypeFromCode(constant.element_code()), std::move(shape)};
  std::span<const uint8_t> bytes = constant.bytes();
  TFRT_RETURN_IF_ERROR(CheckBytes(metadata, bytes.data(), bytes.size()));
  if (metadata.dtype == DType::kI1) {
    auto bad = std::ranges::find_if(bytes, [](uint8_t byte) { return byte > 1; });
    if (bad != bytes.end()) {
      return InvalidArgumentError(
          StrCat("element ", bad - bytes.begin(), " of an i1 constant is ", int{*bad}));
    }
  }
  return DenseHostTensor(std::move(metadata),
                         HostBuffer::CreateFromConstant(bytes.data(), bytes.size()));
}

StatusOr<void*> DenseHostTensor::MutableData() {
  if (is_read_only()) {
    return FailedPreconditionError(
        StrCat("cannot write to the constant tensor of shape ", shape().ToString()));
  }
  return buffer_->data();
}

Status DenseHostTensor::CopyTo(DenseHostTensor& target) const {
  if (target.dtype() != dtype() || target.num_elements() != num_elements()) {
    return InvalidArgumentError(StrCat("cannot copy a tensor of ", DTypeName(dtype()), " ",
                                       shape().ToString(), " to one of ", DTypeName(target.dtype()),
                                       " ", target.shape().ToString()));
  }
  TFRT_ASSIGN_OR_RETURN(void* bytes, target.MutableData());
  // The two may share a buffer. Tensors without elements may have none.
  if (size_bytes() > 0) std::memmove(bytes, data(), size_bytes());
  return OkStatus();
}

std::string DenseHostTensor::ToString() const {
  std::string text = StrCat("DenseHostTensor dtype = ", DTypeName(dtype()),
                            ", shape = ", shape().ToString(), ", values = [");
  const char* element = static_cast<const char*>(data());
  int64_t num_printed = std::min(num_elements(), kMaxPrintedElements);
  for (int64_t i = 0; i < num_printed; ++i, element += DTypeSize(dtype())) {
    if (i != 0) text += ", ";
    AppendElement(dtype(), element, &text);
  }
  if (num_printed < num_elements()) text += ", ... ";
  return text + "]";
}

}  // namespace tfrt
