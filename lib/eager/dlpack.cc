// Arrays from and for other libraries, in the DLPack format.

#include <memory>
#include <vector>

#include "context_impl.h"
#include "tfrt/eager/tensor.h"
#include "tfrt/support/str_cat.h"

#ifdef TFRT_HAVE_DLPACK
#include <dlpack/dlpack.h>
#endif

namespace tfrt::eager {

#ifdef TFRT_HAVE_DLPACK
namespace {

StatusOr<DType> DTypeOfDlpack(DLDataType type) {
  if (type.lanes == 1) {
    switch (type.code * 256 + type.bits) {
      case kDLInt * 256 + 8:
        return DType::kI8;
      case kDLInt * 256 + 16:
        return DType::kI16;
      case kDLInt * 256 + 32:
        return DType::kI32;
      case kDLInt * 256 + 64:
        return DType::kI64;
      case kDLUInt * 256 + 8:
        return DType::kUI8;
      case kDLUInt * 256 + 16:
        return DType::kUI16;
      case kDLUInt * 256 + 32:
        return DType::kUI32;
      case kDLUInt * 256 + 64:
        return DType::kUI64;
      case kDLFloat * 256 + 16:
        return DType::kF16;
      case kDLFloat * 256 + 32:
        return DType::kF32;
      case kDLFloat * 256 + 64:
        return DType::kF64;
      case kDLBfloat * 256 + 16:
        return DType::kBF16;
      case kDLComplex * 256 + 64:
        return DType::kComplex64;
      case kDLComplex * 256 + 128:
        return DType::kComplex128;
    }
  }
  return InvalidArgumentError(StrCat("no dtype for the DLPack type of code ",
                                     static_cast<int>(type.code), ", ", static_cast<int>(type.bits),
                                     " bits and ", type.lanes, " lanes"));
}

StatusOr<DLDataType> DlpackOf(DType dtype) {
  auto bits = static_cast<uint8_t>(8 * DTypeSize(dtype));
  switch (dtype) {
    case DType::kI8:
    case DType::kI16:
    case DType::kI32:
    case DType::kI64:
      return DLDataType{kDLInt, bits, 1};
    case DType::kUI8:
    case DType::kUI16:
    case DType::kUI32:
    case DType::kUI64:
    case DType::kI1:  // the format has no other type for it
      return DLDataType{kDLUInt, bits, 1};
    case DType::kF16:
    case DType::kF32:
    case DType::kF64:
      return DLDataType{kDLFloat, bits, 1};
    case DType::kBF16:
      return DLDataType{kDLBfloat, bits, 1};
    case DType::kComplex64:
    case DType::kComplex128:
      return DLDataType{kDLComplex, bits, 1};
    default:
      return InvalidArgumentError(StrCat("DLPack has no type for ", DTypeName(dtype)));
  }
}

// What an array for another library holds.
struct Exported {
  DLManagedTensor managed = {};
  std::vector<int64_t> dims;
  Tensor tensor;
};

}  // namespace

StatusOr<Tensor> Tensor::FromDlpack(DLManagedTensor* array, std::source_location where) {
  if (!array) return InvalidArgumentError("a DLPack array is null");
  const DLTensor& in = array->dl_tensor;
  if (in.device.device_type != kDLCPU) {
    return InvalidArgumentError(StrCat("a DLPack array on a device of type ",
                                       static_cast<int>(in.device.device_type),
                                       " is not in host memory"));
  }
  if (in.ndim < 0 || (in.ndim > 0 && !in.shape)) {
    return InvalidArgumentError(StrCat("a DLPack array of ", in.ndim, " dimensions has no shape"));
  }
  TFRT_ASSIGN_OR_RETURN(DType dtype, DTypeOfDlpack(in.dtype));
  std::span<const int64_t> dims(in.shape, static_cast<size_t>(in.ndim));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, TensorShape::Create(dims));
  if (in.strides && shape.num_elements() > 1) {
    std::vector<int64_t> expected(dims.size());
    RowMajorStrides(dims, expected);
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] == 1 || in.strides[i] == expected[i]) continue;
      return InvalidArgumentError(StrCat("a DLPack array of shape ", shape.ToString(),
                                         " with stride ", in.strides[i], " in dimension ", i,
                                         " is not row-major"));
    }
  }
  size_t bytes;
  if (__builtin_mul_overflow(static_cast<size_t>(shape.num_elements()), DTypeSize(dtype), &bytes)) {
    return InvalidArgumentError(StrCat("a DLPack array of ", DTypeName(dtype), " with the shape ",
                                       shape.ToString(), " has more bytes than memory can have"));
  }
  if (bytes > 0 && !in.data) {
    return InvalidArgumentError(
        StrCat("a DLPack array of shape ", shape.ToString(), " has no data"));
  }
  const auto* data = static_cast<const std::byte*>(in.data);
  if (data) data += in.byte_offset;
  return FromArray(HostArray::Borrow(dtype, dims, {data, bytes},
                                     [array] {
                                       if (array->deleter) array->deleter(array);
                                     }),
                   where);
}

StatusOr<DLManagedTensor*> Tensor::ToDlpack(std::source_location where) const {
  TFRT_ASSIGN_OR_RETURN(const DenseHostTensor* tensor, HostTensor(DType::kUnsupported, where));
  TFRT_ASSIGN_OR_RETURN(DLDataType type, DlpackOf(tensor->dtype()));
  auto exported = std::make_unique<Exported>();
  ShapeDims dims = tensor->shape().dims();
  exported->dims.assign(dims.begin(), dims.end());
  exported->tensor = *this;
  DLTensor& out = exported->managed.dl_tensor;
  out.data = const_cast<void*>(tensor->data());
  out.device = {kDLCPU, 0};
  out.ndim = static_cast<int32_t>(exported->dims.size());
  out.dtype = type;
  out.shape = exported->dims.data();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](DLManagedTensor* self) {
    delete static_cast<Exported*>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

#else

StatusOr<Tensor> Tensor::FromDlpack(DLManagedTensor*, std::source_location) {
  return UnimplementedError("built without DLPack");
}
StatusOr<DLManagedTensor*> Tensor::ToDlpack(std::source_location) const {
  return UnimplementedError("built without DLPack");
}

#endif

}  // namespace tfrt::eager
