#include "tensor_handle.h"

#include "lib/ops/op_call/convert_tensor.h"
#include "lib/runtime/tensor/conversion.h"
#include "tfrt/host_context/enqueue.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

template <typename T>
AsyncValueRef<T> Copy(const AsyncValueRef<T>& ref) {
  return ref ? ref.CopyRef() : AsyncValueRef<T>();
}

}  // namespace

TensorHandle TensorHandle::CreateError(RCReference<AsyncValue> error) {
  assert(error && error->IsError());
  return TensorHandle(RCReference<Device>(), AsyncValueRef<Tensor>(std::move(error)));
}

TensorHandle& TensorHandle::operator=(const TensorHandle& other) {
  if (this == &other) return *this;
  if (auto* device = std::get_if<RCReference<Device>>(&other.device_)) {
    device_ = *device;
  } else {
    device_ = Copy(std::get<AsyncDevice>(other.device_));
  }
  if (auto* metadata = std::get_if<AsyncMetadata>(&other.metadata_)) {
    metadata_ = Copy(*metadata);
  } else if (auto* known = std::get_if<TensorMetadata>(&other.metadata_)) {
    metadata_ = *known;
  } else {
    metadata_ = std::monostate();
  }
  tensor_ = Copy(other.tensor_);
  return *this;
}

const TensorMetadata* TensorHandle::AvailableMetadata() const {
  if (auto* known = std::get_if<TensorMetadata>(&metadata_)) return known;
  if (tensor_.IsConcrete()) return &tensor_->metadata();
  if (auto* async = std::get_if<AsyncMetadata>(&metadata_); async && async->IsConcrete()) {
    return &async->get();
  }
  return nullptr;
}

bool TensorHandle::IsMetadataError() const {
  if (AvailableMetadata()) return false;
  AsyncValue* pending = async_metadata();
  return pending->IsError();
}

AsyncValue* TensorHandle::async_metadata() const {
  if (AvailableMetadata()) return nullptr;
  if (auto* async = std::get_if<AsyncMetadata>(&metadata_)) return async->GetAsyncValue();
  return tensor_.GetAsyncValue();
}

bool TensorHandle::IsDeviceAvailable() const {
  auto* async = std::get_if<AsyncDevice>(&device_);
  return !async || async->IsConcrete();
}

const RCReference<Device>& TensorHandle::AvailableDevice() const {
  assert(IsDeviceAvailable());
  if (auto* async = std::get_if<AsyncDevice>(&device_)) return async->get();
  return std::get<RCReference<Device>>(device_);
}

AsyncValue* TensorHandle::async_device() const {
  auto* async = std::get_if<AsyncDevice>(&device_);
  return async && !async->IsConcrete() ? async->GetAsyncValue() : nullptr;
}

TensorType DeviceTensorType(TensorType type, const Device& device) {
  return type == kStringHostTensorType ? type : TensorType(device.tensor_type_name());
}

namespace {

// The tensor converted to what `pick(type)` (-> TensorType) says, or itself. Errors are reported.
template <typename Pick>
AsyncValueRef<Tensor> Converted(const AsyncValueRef<Tensor>& tensor, RCReference<Device> from,
                                RCReference<Device> to, const ExecutionContext& exec_ctx,
                                const Pick& pick) {
  auto convert = [from = std::move(from), to = std::move(to), exec_ctx,
                  pick](const AsyncValueRef<Tensor>& tensor) -> AsyncValueRef<Tensor> {
    TensorType type = pick(tensor->tensor_type());
    // A tensor whose device was not known at the call is taken for one of the host.
    Device& source = from ? *from : *exec_ctx.host()->GetHostDevice();
    if (&source == to.get() && tensor->tensor_type() == type) return tensor.CopyRef();
    return ReportLateError(ConvertTensor(*tensor, {source, *to, to->allocator()}, type, exec_ctx),
                           exec_ctx);
  };
  if (tensor.IsError()) return tensor.CopyRef();
  if (tensor.IsConcrete()) return convert(tensor);
  RCReference<IndirectAsyncValue> result = MakeIndirectAsyncValue();
  tensor.GetAsyncValue()->AndThen([result, tensor = tensor.CopyRef(), convert] {
    if (tensor.IsError()) {
      result->ForwardTo(tensor.CopyRCRef());
    } else {
      result->ForwardTo(convert(tensor).ReleaseRCRef());
    }
  });
  return AsyncValueRef<Tensor>(std::move(result));
}

}  // namespace

TensorHandle TensorHandle::WithTensor(AsyncValueRef<Tensor> tensor) const {
  TensorHandle handle = *this;
  if (const TensorMetadata* known = AvailableMetadata()) handle.metadata_ = *known;
  handle.tensor_ = std::move(tensor);
  return handle;
}

TensorHandle TensorHandle::TransferTo(const ExecutionContext& exec_ctx, RCReference<Device> device,
                                      TensorType type) const {
  assert(valid());
  if (IsError()) return *this;
  TensorHandle result =
      WithTensor(Converted(tensor_, IsDeviceAvailable() ? AvailableDevice() : nullptr, device,
                           exec_ctx, [type](TensorType) { return type; }));
  result.device_ = std::move(device);
  return result;
}

TensorHandle TensorHandle::TransferToInferredType(const ExecutionContext& exec_ctx,
                                                  RCReference<Device> device) const {
  assert(valid());
  if (IsError()) return *this;
  // On its device a tensor stays what it is.
  if (IsDeviceAvailable() && AvailableDevice() == device) return *this;
  TensorHandle result = WithTensor(
      Converted(tensor_, IsDeviceAvailable() ? AvailableDevice() : nullptr, device, exec_ctx,
                [device](TensorType type) { return DeviceTensorType(type, *device); }));
  result.device_ = std::move(device);
  return result;
}

std::string TensorHandle::ToString() const {
  if (!valid()) return "NULL TensorHandle!";
  if (tensor_.IsConcrete()) return tensor_->ToString();
  if (tensor_.IsError()) return StrCat("Error TensorHandle: '", tensor_.GetError().message(), "'");
  if (const TensorMetadata* metadata = AvailableMetadata()) {
    return StrCat("future TensorHandle with metadata ", metadata->ToString());
  }
  if (AsyncValue* pending = async_metadata(); pending->IsError()) {
    return StrCat("future TensorHandle with error metadata '", pending->GetError().message(), "'");
  }
  return "fully future TensorHandle with unresolved metadata";
}

}  // namespace tfrt
