// Kernels between tensor handles, tensors and numbers, and from device to device.

#include <cstdio>
#include <cstring>

#include "handle_value.h"
#include "kernel_groups.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/scalar_host_tensor.h"

namespace tfrt {
namespace {

TensorHandle HtToTensorHandle(Argument<Tensor> tensor, Argument<Chain>,
                              const ExecutionContext& exec_ctx) {
  return HostHandle(exec_ctx, tensor.TypedRef());
}

RCReference<AsyncValue> TensorHandleToHt(Argument<TensorHandle> handle) {
  if (!handle.IsUnique()) return handle->tensor().CopyRCRef();
  return std::move(*handle).ReleaseTensor().ReleaseRCRef();
}

AsyncValueRef<TensorShape> TensorHandleToShape(const TensorHandle& handle) {
  if (const TensorMetadata* metadata = handle.AvailableMetadata()) {
    return MakeAvailableAsyncValueRef<TensorShape>(metadata->shape);
  }
  return handle.tensor().Map([](Tensor& tensor) { return tensor.shape(); });
}

StatusOr<int32_t> OneInt32(const Tensor& tensor) {
  const void* data = nullptr;
  if (tensor.tensor_type() == kDenseHostTensorType) {
    data = static_cast<const DenseHostTensor&>(tensor).data();
  } else if (tensor.tensor_type() == kScalarHostTensorType) {
    data = static_cast<const AnyScalarHostTensor&>(tensor).data();
  } else {
    return InvalidArgumentError(StrCat("corert.tensorhandle_to_int32 does not read ",
                                       tensor.tensor_type().name(), " tensors"));
  }
  if (tensor.num_elements() != 1) {
    return InvalidArgumentError(
        StrCat("The tensor should have only one element, which is the index. Its shape is ",
               tensor.shape().ToString()));
  }
  if (tensor.dtype() != DType::kI32) {
    return InvalidArgumentError(
        StrCat("corert.tensorhandle_to_int32 needs a tensor of i32, but it is one of ",
               DTypeName(tensor.dtype())));
  }
  int32_t value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

AsyncValueRef<int32_t> TensorHandleToInt32(const TensorHandle& handle,
                                           const ExecutionContext& exec_ctx) {
  return handle.tensor().Map([exec_ctx](Tensor& tensor) -> StatusOr<int32_t> {
    StatusOr<int32_t> result = OneInt32(tensor);
    if (!result.ok()) return EmitError(exec_ctx, result.status());
    return result;
  });
}

Chain PrintTensorHandle(const TensorHandle& handle) {
  std::string text = handle.ToString();
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return {};
}

AsyncValueRef<TensorType> GetDstTensorType(const TensorHandle& handle,
                                           const RCReference<Device>& device) {
  return handle.tensor().Map(
      [device](Tensor& tensor) { return DeviceTensorType(tensor.tensor_type(), *device); });
}

// Returns a value that is there when the handle's tensor is. If that is an error, the handle has it
// and the value is none: programs print such handles.
AsyncValueRef<TensorHandle> TransferredHandle(TensorHandle handle) {
  AsyncValue* tensor = handle.async_tensor();
  if (tensor->IsAvailable()) return MakeAvailableAsyncValueRef<TensorHandle>(std::move(handle));
  auto value = MakeUnconstructedAsyncValueRef<TensorHandle>();
  tensor->AndThen([handle = std::move(handle), value = value.CopyRef()]() mutable {
    value.emplace(std::move(handle));
  });
  return value;
}

AsyncValueRef<TensorHandle> Transfer(const TensorHandle& handle, const RCReference<Device>& device,
                                     const TensorType& type, const ExecutionContext& exec_ctx) {
  return TransferredHandle(handle.TransferTo(exec_ctx, device, type));
}

AsyncValueRef<TensorHandle> TransferInferred(const TensorHandle& handle,
                                             const RCReference<Device>& device,
                                             const ExecutionContext& exec_ctx) {
  return TransferredHandle(handle.TransferToInferredType(exec_ctx, device));
}

}  // namespace

void RegisterTransferKernels(KernelRegistry* registry) {
  registry->AddKernel("corert.ht_to_tensorhandle", TFRT_KERNEL(HtToTensorHandle));
  registry->AddKernel("corert.tensorhandle_to_ht", TFRT_KERNEL(TensorHandleToHt));
  registry->AddKernel("corert.tensorhandle_to_shape", TFRT_KERNEL(TensorHandleToShape));
  registry->AddKernel("corert.tensorhandle_to_int32", TFRT_KERNEL(TensorHandleToInt32));
  registry->AddKernel("corert.print_tensorhandle", TFRT_KERNEL(PrintTensorHandle));
  registry->AddKernel("corert.get_dst_tensor_type", TFRT_KERNEL(GetDstTensorType));
  registry->AddKernel("corert.transfer", TFRT_KERNEL(Transfer));
  registry->AddKernel("corert.transfer_inferred_tensortype", TFRT_KERNEL(TransferInferred));
}

}  // namespace tfrt
