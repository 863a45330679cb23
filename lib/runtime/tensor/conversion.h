// ConversionRegistry: converts tensors of one type, on one kind of device, to another.
//
//   auto& conversions = host->GetOrCreateSharedContext<ConversionRegistry>();
//   AsyncValueRef<Tensor> dense = conversions.Convert(*tensor, kDenseHostTensorType, exec_ctx);
#ifndef TFRT_LIB_RUNTIME_TENSOR_CONVERSION_H_
#define TFRT_LIB_RUNTIME_TENSOR_CONVERSION_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

class ArrayExchange;
class HostAllocator;
class HostContext;

// The devices between which to convert, perhaps the same one.
struct ConversionDevices {
  Device& from;
  Device& to;
  HostAllocator* allocator;  // for elements on `to` that the host can read
};

// Makes a tensor of another type, or on another device, with the same elements. Returns an error if
// that fails, or the error that the elements themselves are. The `tensor` and the devices are
// borrowed until the function returns. On one device the result may share memory with `tensor`.
//
// The result may become available later, in a task of the host's work queue. A result in memory
// that the host can read becomes available only when it can be read.
using TensorConversion = AsyncValueRef<Tensor> (*)(const Tensor& tensor,
                                                   const ConversionDevices& devices,
                                                   const ExecutionContext& exec_ctx);

// A type of tensors on a kind of devices.
struct ConversionEnd {
  TensorType type;
  std::string_view device_kind = "cpu";
};

// Thread-safe, except for Add and AddExchange, which must come before the first Convert. Copies
// hold the same conversions.
class ConversionRegistry : public SharedContext {
 public:
  // Makes an empty registry.
  ConversionRegistry() = default;
  // Makes the host's registry, a shared context, with the conversions between host tensors.
  explicit ConversionRegistry(HostContext* host);

  // Returns AlreadyExists if such a conversion exists, and keeps the old one.
  Status Add(const ConversionEnd& from, const ConversionEnd& to, TensorConversion conversion);
  // Adds a conversion on the host.
  Status Add(TensorType from, TensorType to, TensorConversion conversion) {
    return Add(ConversionEnd{from}, ConversionEnd{to}, conversion);
  }

  // Adds what shares elements on a kind of devices with other libraries. Returns AlreadyExists if
  // the kind has one.
  Status AddExchange(std::string_view device_kind, const ArrayExchange* exchange);
  // Returns null if the kind shares none.
  const ArrayExchange* FindExchange(std::string_view device_kind) const;

  // Fails with InvalidArgument "cannot find conversion function for [StringHost]->[CooHost]". Where
  // a type does not name its device, the text does: "... for [StringHost on npu]->[DenseHost]".
  AsyncValueRef<Tensor> Convert(const Tensor& tensor, const ConversionDevices& devices,
                                TensorType to, const ExecutionContext& exec_ctx) const;
  // Converts on the host, in its memory.
  AsyncValueRef<Tensor> Convert(const Tensor& tensor, TensorType to,
                                const ExecutionContext& exec_ctx) const;

 private:
  using Key = std::pair<std::pair<TensorType, std::string>, std::pair<TensorType, std::string>>;
  static Key KeyOf(const ConversionEnd& from, const ConversionEnd& to);

  std::map<Key, TensorConversion> conversions_;
  std::map<std::string, const ArrayExchange*, std::less<>> exchanges_;
};

// Returns the type of a tensor's copy on another device: the type that the device computes on.
// Strings stay strings, in host memory. A scalar tensor stays one on a device that computes on
// dense host tensors.
TensorType CopiedType(TensorType type, const Device& to);

// Registers the conversions between host tensors. Dense to dense shares the buffer, or copies it
// between two devices. String to string shares the strings. Sparse to scalar needs equal elements.
// The others are scalar to dense, scalar to scalar and sparse to dense.
Status RegisterHostTensorConversions(ConversionRegistry* registry);

// The conversions of a kind of devices that compute on tensors of a type of their own.
struct DeviceConversions {
  TensorConversion from_host;  // of a dense, scalar or sparse tensor; see ToDenseHostTensor
  TensorConversion to_host;    // to a dense tensor
  TensorConversion between;    // from one device of the kind to another
};
// Registers them, for the type and kind of `device`. Also registers those of strings, which are in
// host memory wherever they belong, and are shared.
Status RegisterDeviceConversions(ConversionRegistry* registry, const ConversionEnd& device,
                                 const DeviceConversions& conversions);
// Returns a tensor of the host in dense form: itself, or by the host's conversions.
StatusOr<DenseHostTensor> ToDenseHostTensor(const Tensor& tensor, const ExecutionContext& exec_ctx);

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_CONVERSION_H_
