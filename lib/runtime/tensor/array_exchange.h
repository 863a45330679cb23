// ArrayExchange: elements in memory of a device, shared with other libraries of the process.
#ifndef TFRT_LIB_RUNTIME_TENSOR_ARRAY_EXCHANGE_H_
#define TFRT_LIB_RUNTIME_TENSOR_ARRAY_EXCHANGE_H_

#include <cstdint>

#include "tfrt/async/async_value_ref.h"
#include "tfrt/support/status.h"
#include "tfrt/support/task_function.h"
#include "tfrt/tensor/foreign_stream.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt {

class Device;

// Implemented once for a kind of devices (ConversionRegistry::AddExchange). Nothing is copied, and
// no thread waits for the device. Thread-safe. Lives until the process ends.
class ArrayExchange {
 public:
  virtual ~ArrayExchange() = default;

  // Returns DLPack's code of the memory: 2 for kDLCUDA.
  virtual int32_t dlpack_memory_type() const = 0;

  // Makes later commands of `stream` run after those that write the elements of an available tensor
  // of the kind. Returns the address of the elements, or null if there are none. They are readable
  // as long as the tensor exists. InvalidArgument for the stream 0, which is ambiguous.
  virtual StatusOr<void*> Lend(const Tensor& tensor, ForeignStream stream) const = 0;

  // Called once when the other library gives back what it was lent for `stream`, before the tensor
  // is destroyed. Its memory is then used again only after the commands that kLegacyDefault has by
  // now, if that is the stream. Other streams may have been destroyed, and are not asked.
  virtual void TakeBack(const Tensor& tensor, ForeignStream stream) const = 0;

  // Makes a tensor on `device` of row-major elements that another library owns. They are written by
  // commands that `stream` has by now. `release` is called once, by any thread under no lock, when
  // the tensor has been destroyed and all commands on the elements have run. Fails with
  // InvalidArgument if the elements are not in memory of the device, or not aligned, and leaves
  // `release` as it is then.
  virtual StatusOr<AsyncValueRef<Tensor>> Borrow(Device& device, TensorMetadata metadata,
                                                 void* elements, ForeignStream stream,
                                                 TaskFunction& release) const = 0;

  // Returns a stream of `device` that another library may make wait, before it hands elements over
  // with this stream to Borrow. Lives as long as the device.
  virtual ForeignStream StreamForProducers(Device& device) const = 0;
};

}  // namespace tfrt

#endif  // TFRT_LIB_RUNTIME_TENSOR_ARRAY_EXCHANGE_H_
