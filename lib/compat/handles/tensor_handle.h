// TensorHandle: a tensor of the eager runtime: a device, metadata and elements, each of which may
// still be on its way.
#ifndef TFRT_LIB_COMPAT_HANDLES_TENSOR_HANDLE_H_
#define TFRT_LIB_COMPAT_HANDLES_TENSOR_HANDLE_H_

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

// A value: copies share the tensor, which is not changed while it is shared. Moving from a handle
// leaves one without a tensor (valid() is false). The tensor of an error handle is the error, and
// so is metadata that is not known. One handle is not synchronised; copies may be used by any
// threads.
class TensorHandle {
 public:
  static constexpr std::string_view kProgramTypeName = "tensor handle";
  using AsyncMetadata = AsyncValueRef<TensorMetadata>;
  using AsyncDevice = AsyncValueRef<RCReference<Device>>;

  TensorHandle() = default;
  // The metadata are those of the tensor, once it is available.
  TensorHandle(RCReference<Device> device, AsyncValueRef<Tensor> tensor)
      : device_(std::move(device)), tensor_(std::move(tensor)) {}
  TensorHandle(RCReference<Device> device, TensorMetadata metadata, AsyncValueRef<Tensor> tensor)
      : device_(std::move(device)), metadata_(std::move(metadata)), tensor_(std::move(tensor)) {}
  TensorHandle(RCReference<Device> device, AsyncMetadata metadata, AsyncValueRef<Tensor> tensor)
      : device_(std::move(device)), metadata_(std::move(metadata)), tensor_(std::move(tensor)) {}
  // A tensor that will be on a device not known yet.
  TensorHandle(AsyncDevice device, AsyncMetadata metadata, AsyncValueRef<Tensor> tensor)
      : device_(std::move(device)), metadata_(std::move(metadata)), tensor_(std::move(tensor)) {}

  // Needs an error; the device is none.
  static TensorHandle CreateError(RCReference<AsyncValue> error);
  static TensorHandle CreateError(Status error) {
    return CreateError(MakeErrorAsyncValue(std::move(error)));
  }

  TensorHandle(const TensorHandle& other) { *this = other; }
  TensorHandle(TensorHandle&&) = default;
  TensorHandle& operator=(const TensorHandle& other);
  TensorHandle& operator=(TensorHandle&&) = default;

  // False for a default-constructed or moved-from handle, of which nothing else may be asked.
  bool valid() const { return static_cast<bool>(tensor_); }

  // The elements. The payload is a Tensor of any kind.
  const AsyncValueRef<Tensor>& tensor() const { return tensor_; }
  AsyncValue* async_tensor() const { return tensor_.GetAsyncValue(); }
  AsyncValueRef<Tensor> ReleaseTensor() && { return std::move(tensor_); }
  bool IsError() const { return tensor_.IsError(); }

  bool IsMetadataAvailable() const { return AvailableMetadata() != nullptr; }
  bool IsMetadataError() const;
  // Null while they are not known, or an error.
  const TensorMetadata* AvailableMetadata() const;
  // Returns the value to wait for before AvailableMetadata() can answer; null if it can now.
  AsyncValue* async_metadata() const;

  bool IsDeviceAvailable() const;
  // Returns the device. Requires IsDeviceAvailable(). Null for an error handle.
  const RCReference<Device>& AvailableDevice() const;
  // Null if the device is available.
  AsyncValue* async_device() const;

  // Returns a handle for the same elements on `device`, as a tensor of type `type`. This is the
  // same handle if it has both already. Otherwise the tensor is converted between the types once it
  // is available (lib/runtime/tensor/conversion.h). Errors become those of the result; an error of
  // the conversion is reported.
  TensorHandle TransferTo(const ExecutionContext& exec_ctx, RCReference<Device> device,
                          TensorType type) const;
  // As TransferTo, with the type that tensors of this kind have on `device`: what the device
  // computes on for numbers, and strings for strings.
  TensorHandle TransferToInferredType(const ExecutionContext& exec_ctx,
                                      RCReference<Device> device) const;

  // Returns a handle with this one's device and metadata for another tensor.
  TensorHandle WithTensor(AsyncValueRef<Tensor> tensor) const;

  // Returns the text of corert.print_tensorhandle: that of the tensor if it is available, otherwise
  // what is known.
  std::string ToString() const;

 private:
  std::variant<RCReference<Device>, AsyncDevice> device_;
  std::variant<std::monostate, TensorMetadata, AsyncMetadata> metadata_;  // monostate: the tensor's
  AsyncValueRef<Tensor> tensor_;
};

// The type of tensor that holds the elements of a `type` tensor on `device`.
TensorType DeviceTensorType(TensorType type, const Device& device);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_HANDLES_TENSOR_HANDLE_H_
