// DenseSimTensor: a tensor whose elements lie one after the other, row-major, in the memory of a
// sim device.
#ifndef TFRT_LIB_DEVICES_SIM_DEVICE_SIM_TENSOR_H_
#define TFRT_LIB_DEVICES_SIM_DEVICE_SIM_TENSOR_H_

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lib/devices/sim/stream.h"
#include "sim_device.h"
#include "tfrt/async/async_value_ref.h"
#include "tfrt/async/chain.h"
#include "tfrt/async/type_id.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "tfrt/tensor/tensor.h"

namespace tfrt::sim {

inline constexpr TensorType kDenseSimTensorType{"DenseSim"};

// A block of device memory. It lives from its allocation in the order of the compute stream to its
// free there. The free comes after all recorded uses, so no owner must keep a buffer until the
// device has used it. Thread-safe once it is written.
class SimBuffer : public ReferenceCounted<SimBuffer> {
 public:
  // Allocates a buffer that later work of the compute stream may use. Fails with ResourceExhausted
  // "Cannot allocate tensor".
  static StatusOr<RCReference<SimBuffer>> Allocate(RCReference<SimDevice> device,
                                                   std::string_view operation, size_t size_bytes);
  ~SimBuffer();

  SimDevice& device() const { return *device_; }
  const MemorySpace& memory_space() const { return device_->memory_space(); }
  // Returns an address of the device: the host must not read there.
  void* address() const { return address_; }
  size_t size_bytes() const { return size_bytes_; }

  // Records that the work that writes the elements has been enqueued. Called once, before others
  // receive the buffer. The `event` comes after that work. Not later than the event, `elements`
  // becomes available with the elements, or becomes the error that replaces them.
  void SetWritten(Event event, AsyncValueRef<Chain> elements);
  // Orders later work on `stream`, of any device, after the elements are written.
  void OrderReads(Stream& stream) const { stream.WaitFor(written_); }
  // Records that a stream other than the compute stream, perhaps of another device, uses the buffer
  // until `event`, which it has just recorded.
  void AddUse(const Stream& stream, Event event);
  AsyncValue* elements() const { return elements_.GetAsyncValue(); }

 private:
  SimBuffer(RCReference<SimDevice> device, void* address, size_t size_bytes)
      : device_(std::move(device)), address_(address), size_bytes_(size_bytes) {}

  const RCReference<SimDevice> device_;
  void* const address_;
  const size_t size_bytes_;
  Event written_;
  AsyncValueRef<Chain> elements_;
  std::mutex mutex_;
  struct Use {
    const Stream* stream;
    Event event;
  };
  std::vector<Use> uses_;  // the last of each stream; under mutex_
};

class DenseSimTensor final : public Tensor {
 public:
  using AsyncValueBases = BaseTypes<Tensor>;

  // `buffer` must have the bytes that the metadata need, and must be written, or the work that
  // writes it must be enqueued.
  DenseSimTensor(TensorMetadata metadata, RCReference<SimBuffer> buffer)
      : Tensor(std::move(metadata)), buffer_(std::move(buffer)) {}
  DenseSimTensor(DenseSimTensor&&) = default;

  const RCReference<SimBuffer>& buffer() const { return buffer_; }

  TensorType tensor_type() const override { return kDenseSimTensorType; }
  const MemorySpace& memory_space() const override { return buffer_->memory_space(); }
  AsyncValue* elements() const override { return buffer_->elements(); }
  // Returns "DenseSimTensor dtype = f32, shape = [2, 3], on sim:0", without elements, which the
  // host cannot read.
  std::string ToString() const override;

 private:
  RCReference<SimBuffer> buffer_;
};

}  // namespace tfrt::sim

#endif  // TFRT_LIB_DEVICES_SIM_DEVICE_SIM_TENSOR_H_
