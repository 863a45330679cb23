// ConversionRegistry: how tensors of one type, on one kind of device, become tensors of another.
//
//   auto& conversions = host->GetOrCreateSharedContext<ConversionRegistry>();
//   AsyncValueRef<Tensor> dense = conversions.Convert(*tensor, kDenseHostTensorType, exec_ctx);
#ifndef TFRT_TENSOR_CONVERSION_H_
#define TFRT_TENSOR_CONVERSION_H_

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/host_context/shared_context.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

class HostAllocator;
class HostContext;

// Between which devices, perhaps the same one.
struct ConversionDevices {
  Device& from;
  Device& to;
  HostAllocator* allocator;  // for elements on `to` that the host can read
};

// Makes a tensor of another type, or on another device, with the same elements, or an error, which
// is that of the elements if they are one. `tensor` and the devices are borrowed until the function
// returns. On one device the result may share memory with `tensor`. It may become available later,
// in a task of the host's work queue; one in memory that the host can read is available when it can
// be read.
using TensorConversion = AsyncValueRef<Tensor> (*)(const Tensor& tensor,
                                                   const ConversionDevices& devices,
                                                   const ExecutionContext& exec_ctx);

// A type of tensors on a kind of devices.
struct ConversionEnd {
  TensorType type;
  std::string_view device_kind = "cpu";
};

// Thread-safe, but for Add, which comes before the first Convert. Copies know the same conversions.
class ConversionRegistry : public SharedContext {
 public:
  // Empty.
  ConversionRegistry() = default;
  // The host's registry, a shared context: with the conversions between host tensors.
  explicit ConversionRegistry(HostContext* host);

  // AlreadyExists if there is such a conversion, which then stays.
  Status Add(const ConversionEnd& from, const ConversionEnd& to, TensorConversion conversion);
  // On the host.
  Status Add(TensorType from, TensorType to, TensorConversion conversion) {
    return Add(ConversionEnd{from}, ConversionEnd{to}, conversion);
  }

  // InvalidArgument "cannot find conversion function for [StringHost]->[CooHost]", or "... for
  // [DenseHost on cpu]->[DenseNpu on npu]".
  AsyncValueRef<Tensor> Convert(const Tensor& tensor, const ConversionDevices& devices,
                                TensorType to, const ExecutionContext& exec_ctx) const;
  // On the host, in its memory.
  AsyncValueRef<Tensor> Convert(const Tensor& tensor, TensorType to,
                                const ExecutionContext& exec_ctx) const;

 private:
  using Key = std::pair<std::pair<TensorType, std::string>, std::pair<TensorType, std::string>>;
  static Key KeyOf(const ConversionEnd& from, const ConversionEnd& to);

  std::map<Key, TensorConversion> conversions_;
};

// What a copy of a tensor on another device is: what the device computes on. Texts stay texts, in
// host memory, and one number stays one number on a device that computes on dense host tensors.
TensorType CopiedType(TensorType type, const Device& to);

// dense to dense (shares the buffer; between two devices, copies it), scalar to dense, scalar to
// scalar, sparse to dense, sparse to scalar (if all elements are equal), string to string (shares
// the strings).
Status RegisterHostTensorConversions(ConversionRegistry* registry);

}  // namespace tfrt

#endif  // TFRT_TENSOR_CONVERSION_H_
