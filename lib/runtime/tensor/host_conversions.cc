// The conversions between host tensors.

#include <cstring>
#include <vector>

#include "conversion.h"
#include "coo_host_tensor.h"
#include "dtype_dispatch.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/scalar_host_tensor.h"
#include "tfrt/tensor/string_host_tensor.h"

namespace tfrt {
namespace {

template <typename T>
AsyncValueRef<Tensor> ToValue(StatusOr<T> tensor) {
  if (!tensor.ok()) return tensor.status();
  return MakeAvailableAsyncValueRef<T>(*std::move(tensor));
}

AsyncValueRef<Tensor> DenseToDense(const Tensor& tensor, const ConversionDevices& devices,
                                   const ExecutionContext&) {
  const auto& dense = static_cast<const DenseHostTensor&>(tensor);
  if (&devices.from == &devices.to) {
    return MakeAvailableAsyncValueRef<DenseHostTensor>(dense.ShareBuffer());
  }
  auto copy = DenseHostTensor::CreateUninitialized(dense.metadata(), devices.allocator);
  if (copy.ok()) {
    if (Status status = dense.CopyTo(*copy); !status.ok()) return status;
  }
  return ToValue(std::move(copy));
}

AsyncValueRef<Tensor> StringToString(const Tensor& tensor, const ConversionDevices&,
                                     const ExecutionContext&) {
  return MakeAvailableAsyncValueRef<StringHostTensor>(
      static_cast<const StringHostTensor&>(tensor).ShareStrings());
}

StatusOr<DenseHostTensor> Fill(const TensorMetadata& metadata, const void* value,
                               HostAllocator* allocator) {
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor result,
                        DenseHostTensor::CreateUninitialized(metadata, allocator));
  TFRT_ASSIGN_OR_RETURN(void* data, result.MutableData());
  size_t size = DTypeSize(metadata.dtype);
  for (size_t begin = 0; begin < result.size_bytes(); begin += size) {
    std::memcpy(static_cast<char*>(data) + begin, value, size);
  }
  return result;
}

AsyncValueRef<Tensor> ScalarToDense(const Tensor& tensor, const ConversionDevices& devices,
                                    const ExecutionContext&) {
  const void* value = static_cast<const AnyScalarHostTensor&>(tensor).data();
  return ToValue(Fill(tensor.metadata(), value, devices.allocator));
}

AsyncValueRef<Tensor> CooToDense(const Tensor& tensor, const ConversionDevices& devices,
                                 const ExecutionContext&) {
  return ToValue(DenseFromSparse(static_cast<const CooHostTensor&>(tensor), devices.allocator));
}

// A scalar tensor of a dtype that has a C++ type; null for others.
AsyncValueRef<Tensor> MakeScalar(const TensorMetadata& metadata, const void* data) {
  AsyncValueRef<Tensor> result;
  DispatchDType(metadata.dtype, [&]<typename T>(std::type_identity<T>) {
    T value;
    if constexpr (std::is_same_v<T, bool>) {
      value = *static_cast<const uint8_t*>(data) != 0;
    } else {
      std::memcpy(&value, data, sizeof(T));
    }
    result = MakeAvailableAsyncValueRef<ScalarHostTensor<T>>(metadata.shape, value);
  });
  return result;
}

AsyncValueRef<Tensor> ScalarToScalar(const Tensor& tensor, const ConversionDevices&,
                                     const ExecutionContext&) {
  return MakeScalar(tensor.metadata(), static_cast<const AnyScalarHostTensor&>(tensor).data());
}

// The bytes of the value that all elements have, or null. Values are equal if their bytes are.
const void* FindCommonValue(const CooHostTensor& coo) {
  static constexpr char kZero[16] = {};
  size_t size = DTypeSize(coo.dtype());
  auto* values = static_cast<const char*>(coo.values().data());
  const char* first = coo.num_values() == 0 ? kZero : values;
  for (size_t i = 1; i < coo.num_values(); ++i) {
    if (std::memcmp(first, values + i * size, size) != 0) return nullptr;
  }
  if (std::memcmp(first, kZero, size) == 0) return first;
  // Not 0, so every element must be listed.
  auto num_elements = static_cast<size_t>(coo.num_elements());
  if (coo.num_values() < num_elements) return nullptr;
  std::vector<bool> listed(num_elements);
  size_t num_listed = 0;
  for (size_t i = 0; i < coo.num_values(); ++i) {
    auto place = static_cast<size_t>(coo.LinearIndex(i));
    if (!listed[place]) ++num_listed;
    listed[place] = true;
  }
  return num_listed == num_elements ? first : nullptr;
}

AsyncValueRef<Tensor> CooToScalar(const Tensor& tensor, const ConversionDevices&,
                                  const ExecutionContext&) {
  if (const void* value = FindCommonValue(static_cast<const CooHostTensor&>(tensor))) {
    if (auto scalar = MakeScalar(tensor.metadata(), value)) return scalar;
  }
  return InvalidArgumentError(
      StrCat("failed to convert coo tensor to scalar host tensor: the elements of shape ",
             tensor.shape().ToString(), " have no common value"));
}

}  // namespace

Status RegisterHostTensorConversions(ConversionRegistry* registry) {
  const struct {
    TensorType from, to;
    TensorConversion conversion;
  } conversions[] = {
      {kDenseHostTensorType, kDenseHostTensorType, DenseToDense},
      {kScalarHostTensorType, kDenseHostTensorType, ScalarToDense},
      {kScalarHostTensorType, kScalarHostTensorType, ScalarToScalar},
      {kCooHostTensorType, kDenseHostTensorType, CooToDense},
      {kCooHostTensorType, kScalarHostTensorType, CooToScalar},
      {kStringHostTensorType, kStringHostTensorType, StringToString},
  };
  for (const auto& [from, to, conversion] : conversions) {
    TFRT_RETURN_IF_ERROR(registry->Add(from, to, conversion));
  }
  return OkStatus();
}

Status RegisterDeviceConversions(ConversionRegistry* registry, const ConversionEnd& device,
                                 const DeviceConversions& conversions) {
  for (TensorType type : {kDenseHostTensorType, kScalarHostTensorType, kCooHostTensorType}) {
    TFRT_RETURN_IF_ERROR(registry->Add(ConversionEnd{type}, device, conversions.from_host));
  }
  TFRT_RETURN_IF_ERROR(
      registry->Add(device, ConversionEnd{kDenseHostTensorType}, conversions.to_host));
  TFRT_RETURN_IF_ERROR(registry->Add(device, device, conversions.between));
  const ConversionEnd strings{kStringHostTensorType};
  const ConversionEnd of_device{kStringHostTensorType, device.device_kind};
  TFRT_RETURN_IF_ERROR(registry->Add(strings, of_device, StringToString));
  TFRT_RETURN_IF_ERROR(registry->Add(of_device, strings, StringToString));
  return registry->Add(of_device, of_device, StringToString);
}

StatusOr<DenseHostTensor> ToDenseHostTensor(const Tensor& tensor,
                                            const ExecutionContext& exec_ctx) {
  if (tensor.tensor_type() == kDenseHostTensorType) {
    return static_cast<const DenseHostTensor&>(tensor).ShareBuffer();
  }
  AsyncValueRef<Tensor> dense =
      exec_ctx.host()->GetOrCreateSharedContext<ConversionRegistry>().Convert(
          tensor, kDenseHostTensorType, exec_ctx);
  if (dense.IsError()) return dense.GetError();
  return static_cast<const DenseHostTensor&>(*dense).ShareBuffer();
}

}  // namespace tfrt
