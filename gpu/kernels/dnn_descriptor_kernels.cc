// Kernels that make handles and descriptors of cuDNN.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "dnn_values.h"
#include "gpu/libraries/dnn/handles.h"
#include "gpu/libraries/saturated.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

using namespace cudnn;  // NOLINT: the vendor's names

// How many numbers of C lie side by side.
int VectorSize(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_INT8x4:
    case CUDNN_DATA_UINT8x4:
      return 4;
    case CUDNN_DATA_INT8x32:
      return 32;
    default:
      return 1;
  }
}

std::vector<int> RowStrides(std::span<const int32_t> dims) {
  std::vector<int> strides(dims.size());
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0; stride *= dims[d]) {
    strides[d] = static_cast<int>(std::min<int64_t>(stride, INT32_MAX));
  }
  return strides;
}

Status CheckEqualSizes(std::string_view what, size_t size, size_t other_size) {
  if (size == other_size) return OkStatus();
  return InvalidArgumentError(
      StrCat("Expected ", what, " to be equal size (", size, " and ", other_size, ")"));
}

StatusOr<DnnHandleValue> CreateDnnHandle(const RCReference<Context>& context) {
  TFRT_RETURN_IF_ERROR(DnnLibrary().status());
  // Whether a handle can be made is known at this op, not at the first one that uses it.
  TFRT_RETURN_IF_ERROR(context->Part<dnn::Handles>().Take().status());
  return DnnHandleValue{context};
}

StatusOr<DnnConvolutionValue> CreateConvolutionDescriptor(Attribute<int32_t> compute_type,
                                                          Attribute<int32_t> conv_mode,
                                                          ArrayAttribute<int32_t> dilation,
                                                          ArrayAttribute<int32_t> filter_stride,
                                                          Attribute<int32_t> math_type,
                                                          ArrayAttribute<int32_t> pad) {
  TFRT_ASSIGN_OR_RETURN(auto type,
                        CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, *compute_type));
  TFRT_ASSIGN_OR_RETURN(
      auto mode, CudaValue<cudnnConvolutionMode_t>(GpuEnum::kDnnConvolutionMode, *conv_mode));
  TFRT_ASSIGN_OR_RETURN(auto math, CudaValue<cudnnMathType_t>(GpuEnum::kDnnMathType, *math_type));
  TFRT_ASSIGN_OR_RETURN(const cudnnDataType_t sum_type, DnnSumType(type));
  TFRT_RETURN_IF_ERROR(CheckEqualSizes("pad and filter_stride", pad.size(), filter_stride.size()));
  TFRT_RETURN_IF_ERROR(CheckEqualSizes("pad and dilation", pad.size(), dilation.size()));
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  const Table& table = library->table();
  using Descriptor = decltype(DnnConvolutionValue::descriptor);
  TFRT_ASSIGN_OR_RETURN(Descriptor descriptor,
                        Descriptor::Create(*library, "cudnnCreateConvolutionDescriptor"));
  TFRT_RETURN_IF_ERROR(
      StatusOf(table,
               table.cudnnSetConvolutionNdDescriptor(descriptor.get(), static_cast<int>(pad.size()),
                                                     pad.span().data(), filter_stride.span().data(),
                                                     dilation.span().data(), mode, sum_type),
               "cudnnSetConvolutionNdDescriptor"));
  TFRT_RETURN_IF_ERROR(StatusOf(table, table.cudnnSetConvolutionMathType(descriptor.get(), math),
                                "cudnnSetConvolutionMathType"));
  return DnnConvolutionValue{std::move(descriptor)};
}

StatusOr<DnnFilterValue> CreateFilterDescriptor(Attribute<int32_t> data_type,
                                                ArrayAttribute<int32_t> dimensions,
                                                Attribute<int32_t> tensor_format) {
  TFRT_ASSIGN_OR_RETURN(auto type, CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, *data_type));
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  const Table& table = library->table();
  using Descriptor = decltype(DnnFilterValue::descriptor);
  TFRT_ASSIGN_OR_RETURN(Descriptor descriptor,
                        Descriptor::Create(*library, "cudnnCreateFilterDescriptor"));
  TFRT_RETURN_IF_ERROR(
      StatusOf(table,
               table.cudnnSetFilterNdDescriptor(
                   descriptor.get(), type, static_cast<cudnnTensorFormat_t>(*tensor_format),
                   static_cast<int>(dimensions.size()), dimensions.span().data()),
               "cudnnSetFilterNdDescriptor"));
  uint64_t size_bytes = DnnUnitBytes(type);
  for (int32_t size : dimensions) {
    size_bytes = SaturatedTimes(size_bytes, static_cast<uint64_t>(size));
  }
  if (*tensor_format == CUDNN_TENSOR_NCHW_VECT_C) size_bytes /= VectorSize(type);
  return DnnFilterValue{std::move(descriptor), size_bytes};
}

StatusOr<DnnPoolingValue> CreatePoolingDescriptor(const RCReference<Context>&, uint32_t mode,
                                                  uint32_t nan_propagation,
                                                  ArrayAttribute<int32_t> paddings,
                                                  ArrayAttribute<int32_t> strides,
                                                  ArrayAttribute<int32_t> window_dimensions) {
  if (mode > CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING) {
    return InvalidArgumentError(StrCat("pooling mode ", mode, " is not 0, 1 or 2"));
  }
  if (nan_propagation > CUDNN_PROPAGATE_NAN) {
    return InvalidArgumentError(StrCat("NaN propagation ", nan_propagation, " is not 0 or 1"));
  }
  const size_t rank = window_dimensions.size();
  TFRT_RETURN_IF_ERROR(CheckEqualSizes("window_dimensions and paddings", rank, paddings.size()));
  TFRT_RETURN_IF_ERROR(CheckEqualSizes("window_dimensions and strides", rank, strides.size()));
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  const Table& table = library->table();
  using Descriptor = decltype(DnnPoolingValue::descriptor);
  TFRT_ASSIGN_OR_RETURN(Descriptor descriptor,
                        Descriptor::Create(*library, "cudnnCreatePoolingDescriptor"));
  TFRT_RETURN_IF_ERROR(StatusOf(
      table,
      table.cudnnSetPoolingNdDescriptor(descriptor.get(), static_cast<cudnnPoolingMode_t>(mode),
                                        static_cast<cudnnNanPropagation_t>(nan_propagation),
                                        static_cast<int>(rank), window_dimensions.span().data(),
                                        paddings.span().data(), strides.span().data()),
      "cudnnSetPoolingNdDescriptor"));
  return DnnPoolingValue{std::move(descriptor)};
}

StatusOr<DnnTensorValue> CreateTensorDescriptor(Attribute<int32_t> data_type,
                                                ArrayAttribute<int32_t> dimensions,
                                                ArrayAttribute<int32_t> strides) {
  TFRT_ASSIGN_OR_RETURN(auto type, CudaValue<cudnnDataType_t>(GpuEnum::kDnnDataType, *data_type));
  const size_t rank = dimensions.size();
  TFRT_RETURN_IF_ERROR(CheckEqualSizes("dimensions and strides", rank, strides.size()));
  if (rank > kMaxDims) {
    return InvalidArgumentError(
        StrCat("a tensor of ", rank, " dimensions; the most are ", kMaxDims));
  }
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  const Table& table = library->table();
  using Descriptor = decltype(DnnTensorValue::descriptor);
  TFRT_ASSIGN_OR_RETURN(Descriptor descriptor,
                        Descriptor::Create(*library, "cudnnCreateTensorDescriptor"));
  const int vector_size = VectorSize(type);
  if (vector_size > 1 && rank > 1 && std::ranges::equal(strides, RowStrides(dimensions.span()))) {
    // Dense vectors: the library counts the channels, not the vectors.
    std::vector<int> dims(dimensions.begin(), dimensions.end());
    if (dims[1] > INT32_MAX / vector_size) {
      return InvalidArgumentError(StrCat(dims[1], " vectors of channels are too many"));
    }
    dims[1] *= vector_size;
    TFRT_RETURN_IF_ERROR(
        StatusOf(table,
                 table.cudnnSetTensorNdDescriptorEx(descriptor.get(), CUDNN_TENSOR_NCHW_VECT_C,
                                                    type, static_cast<int>(rank), dims.data()),
                 "cudnnSetTensorNdDescriptorEx"));
  } else {
    TFRT_RETURN_IF_ERROR(
        StatusOf(table,
                 table.cudnnSetTensorNdDescriptor(descriptor.get(), type, static_cast<int>(rank),
                                                  dimensions.span().data(), strides.span().data()),
                 "cudnnSetTensorNdDescriptor"));
  }
  for (int32_t stride : strides) {
    if (stride < 0) return InvalidArgumentError(StrCat("stride ", stride, " is negative"));
  }
  const uint64_t span = SpanOf(dimensions.span(), strides.span());
  return DnnTensorValue{std::move(descriptor), type, SaturatedTimes(span, DnnUnitBytes(type))};
}

StatusOr<DnnActivationValue> CreateActivationDescriptor(double coefficient, Attribute<int32_t> mode,
                                                        Attribute<bool> nan_propagation) {
  TFRT_ASSIGN_OR_RETURN(auto value,
                        CudaValue<cudnnActivationMode_t>(GpuEnum::kDnnActivationMode, *mode));
  TFRT_ASSIGN_OR_RETURN(const Library* library, DnnLibrary());
  const Table& table = library->table();
  using Descriptor = decltype(DnnActivationValue::descriptor);
  TFRT_ASSIGN_OR_RETURN(Descriptor descriptor,
                        Descriptor::Create(*library, "cudnnCreateActivationDescriptor"));
  TFRT_RETURN_IF_ERROR(
      StatusOf(table,
               table.cudnnSetActivationDescriptor(
                   descriptor.get(), value,
                   *nan_propagation ? CUDNN_PROPAGATE_NAN : CUDNN_NOT_PROPAGATE_NAN, coefficient),
               "cudnnSetActivationDescriptor"));
  return DnnActivationValue{std::move(descriptor)};
}

DnnAlgorithmValue Algorithm(Attribute<uint64_t> algo) { return {*algo}; }

}  // namespace

StatusOr<const cudnn::Library*> DnnLibrary() {
  StatusOr<const Library*> library = Library::Get();
  if (library.ok()) return library;
  return Status(library.status().code(),
                StrCat(ResultName(CUDNN_STATUS_NOT_INITIALIZED), ": ", library.status().message()));
}

StatusOr<cudnnDataType_t> DnnSumType(cudnnDataType_t compute_type) {
  switch (compute_type) {
    case CUDNN_DATA_FLOAT:
    case CUDNN_DATA_DOUBLE:
      return compute_type;
    case CUDNN_DATA_HALF: {
      const char* value = std::getenv("TF_FP16_CONV_USE_FP32_COMPUTE");
      return value && std::string_view(value) == "0" ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
    }
    case CUDNN_DATA_INT8:
    case CUDNN_DATA_INT32:
      return CUDNN_DATA_INT32;
    default:
      return InvalidArgumentError(StrCat(
          "convolutions are not computed in ",
          PrintGpuEnum(GpuEnum::kDnnDataType,
                       EncodeGpuEnum(GpuEnum::kDnnDataType, GpuPlatform::kCuda, compute_type))));
  }
}

uint64_t DnnUnitBytes(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_DOUBLE:
    case CUDNN_DATA_INT64:
      return 8;
    case CUDNN_DATA_FLOAT:
    case CUDNN_DATA_INT32:
    case CUDNN_DATA_INT8x4:
    case CUDNN_DATA_UINT8x4:
      return 4;
    case CUDNN_DATA_HALF:
    case CUDNN_DATA_BFLOAT16:
      return 2;
    case CUDNN_DATA_INT8x32:
      return 32;
    case CUDNN_DATA_INT8:
    case CUDNN_DATA_UINT8:
    case CUDNN_DATA_BOOLEAN:
      break;
  }
  return 1;
}

void RegisterDnnDescriptorKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_gpu.dnn.create", TFRT_KERNEL(CreateDnnHandle));
  registry->AddKernel("tfrt_gpu.dnn.create_convolution_descriptor",
                      TFRT_KERNEL(CreateConvolutionDescriptor));
  registry->AddKernel("tfrt_gpu.dnn.create_filter_descriptor", TFRT_KERNEL(CreateFilterDescriptor));
  registry->AddKernel("tfrt_gpu.dnn.create_pooling_descriptor",
                      TFRT_KERNEL(CreatePoolingDescriptor));
  registry->AddKernel("tfrt_gpu.dnn.create_tensor_descriptor", TFRT_KERNEL(CreateTensorDescriptor));
  registry->AddKernel("tfrt_gpu.dnn.create_activation_descriptor",
                      TFRT_KERNEL(CreateActivationDescriptor));
  for (const char* name : {"tfrt_gpu.dnn.convolution_forward_algorithm",
                           "tfrt_gpu.dnn.convolution_backward_data_algorithm",
                           "tfrt_gpu.dnn.convolution_backward_filter_algorithm"}) {
    registry->AddKernel(name, TFRT_KERNEL(Algorithm));
  }
}

}  // namespace tfrt::gpu
