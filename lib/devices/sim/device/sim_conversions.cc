#include "sim_conversions.h"

#include <utility>

#include "lib/runtime/tensor/conversion.h"
#include "sim_device.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::sim {
namespace {

using internal::CopyToSim;

SimDevice& DeviceOf(Device& device) { return static_cast<SimDevice&>(device); }

AsyncValueRef<Tensor> HostToSim(const Tensor& tensor, const ConversionDevices& devices,
                                const ExecutionContext& exec_ctx) {
  if (Status status = TimelineScope::Check("a copy of a device's memory"); !status.ok())
    return status;
  StatusOr<DenseHostTensor> dense = ToDenseHostTensor(tensor, exec_ctx);
  if (!dense.ok()) return dense.status();
  StatusOr<DenseSimTensor> copy = CopyToSim(*dense, DeviceOf(devices.to), exec_ctx);
  if (!copy.ok()) return copy.status();
  return MakeAvailableAsyncValueRef<DenseSimTensor>(*std::move(copy));
}

// The error that keeps the elements from being there; OK if they are. `event` is behind them.
Status ErrorOf(const AsyncValueRef<Chain>& elements, const Event& event) {
  if (elements.IsError()) return elements.GetError();
  AsyncValueRef<Chain> done = event.done();
  return done.IsError() ? done.GetError() : OkStatus();
}

// Available when the device has written the elements, by a task of the queue: whoever waits for it
// may go on to compute, which is not for a stream's thread.
AsyncValueRef<Tensor> SimToHost(const Tensor& tensor, const ConversionDevices& devices,
                                const ExecutionContext& exec_ctx) {
  if (Status status = TimelineScope::Check("a copy of a device's memory"); !status.ok())
    return status;
  const RCReference<SimBuffer>& buffer = static_cast<const DenseSimTensor&>(tensor).buffer();
  auto copy = DenseHostTensor::CreateUninitialized(tensor.metadata(), devices.allocator);
  if (!copy.ok()) return copy.status();
  Stream& d2h = buffer->device().accelerator().d2h();
  buffer->OrderReads(d2h);
  d2h.CopyToHost("copy to host", *copy->MutableData(), buffer->address(), buffer->size_bytes());
  Event event = d2h.Record();
  buffer->AddUse(d2h, event);
  auto result = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  auto publish = [event, result = result.CopyRef(), copy = *std::move(copy),
                  elements = AsyncValueRef<Chain>(FormRef(buffer->elements()))]() mutable {
    (void)event.Poll();  // which tells those who check that the host goes on behind it
    if (Status error = ErrorOf(elements, event); !error.ok()) {
      result.SetError(std::move(error));
    } else {
      result.emplace(std::move(copy));
    }
  };
  AsyncValueRef<Chain> done = event.done();
  done.AndThen([ticket = exec_ctx.host()->work_queue().MakeTicket(),
                publish = std::move(publish)]() mutable { ticket.AddTask(std::move(publish)); });
  return result;
}

// Runs on a stream behind what has copied the elements: they are there if those of the source are.
// Also if the stream has stopped and drops it.
class Settle {
 public:
  Settle(AsyncValueRef<Chain> elements, AsyncValueRef<Chain> source, TaskTicket ticket)
      : elements_(std::move(elements)), source_(std::move(source)), ticket_(std::move(ticket)) {}
  Settle(Settle&&) = default;
  ~Settle() {
    if (elements_) elements_.SetError(InternalError("a device has stopped before a copy was made"));
  }
  Status operator()(std::span<std::byte* const>) {
    AsyncValueRef<Chain> elements = std::move(elements_);
    if (source_.IsError()) {
      elements.SetError(source_.GetError());
    } else {
      elements.emplace();
    }
    return OkStatus();
  }

 private:
  AsyncValueRef<Chain> elements_;  // null once it is set
  AsyncValueRef<Chain> source_;
  TaskTicket ticket_;
};

AsyncValueRef<Tensor> SimToSim(const Tensor& tensor, const ConversionDevices& devices,
                               const ExecutionContext& exec_ctx) {
  if (Status status = TimelineScope::Check("a copy of a device's memory"); !status.ok())
    return status;
  const RCReference<SimBuffer>& from = static_cast<const DenseSimTensor&>(tensor).buffer();
  SimDevice& device = DeviceOf(devices.to);
  StatusOr<RCReference<SimBuffer>> to =
      SimBuffer::Allocate(FormRef(&device), "copy of a peer", from->size_bytes());
  if (!to.ok()) return to.status();
  Stream& d2d = device.accelerator().d2d();
  d2d.WaitFor(device.accelerator().compute().Record());  // the block is there
  from->OrderReads(d2d);
  d2d.CopyFromPeer("copy of a peer", (*to)->address(), from->device().accelerator(),
                   from->address(), from->size_bytes());
  auto elements = MakeUnconstructedAsyncValueRef<Chain>();
  d2d.Call("copy of a peer",
           Settle(elements.CopyRef(), AsyncValueRef<Chain>(FormRef(from->elements())),
                  exec_ctx.host()->work_queue().MakeTicket()));
  Event event = d2d.Record();
  from->AddUse(d2d, event);
  (*to)->SetWritten(std::move(event), std::move(elements));
  return MakeAvailableAsyncValueRef<DenseSimTensor>(tensor.metadata(), *std::move(to));
}

}  // namespace

Status RegisterSimConversions(ConversionRegistry* conversions) {
  return RegisterDeviceConversions(
      conversions, {kDenseSimTensorType, kSimKind},
      {.from_host = HostToSim, .to_host = SimToHost, .between = SimToSim});
}

namespace internal {

StatusOr<DenseSimTensor> CopyToSim(const DenseHostTensor& tensor, SimDevice& device,
                                   const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(
      RCReference<SimBuffer> buffer,
      SimBuffer::Allocate(FormRef(&device), "copy of the host", tensor.size_bytes()));
  Stream& h2d = device.accelerator().h2d();
  h2d.WaitFor(device.accelerator().compute().Record());  // the block is there
  h2d.CopyToDevice("copy from host", buffer->address(), tensor.data(), tensor.size_bytes());
  Event event = h2d.Record();
  AsyncValueRef<Chain> done = event.done();
  // The source may be another library's, whose function that takes it back is not for a stream's
  // thread.
  done.AndThen([ticket = exec_ctx.host()->work_queue().MakeTicket(), event,
                source = tensor.ShareBuffer()]() mutable {
    ticket.AddTask([event = std::move(event), source = std::move(source)] {
      (void)event.Poll();  // tells those who check that others may use the memory behind it
    });
  });
  buffer->SetWritten(std::move(event), std::move(done));
  return DenseSimTensor(tensor.metadata(), std::move(buffer));
}

}  // namespace internal
}  // namespace tfrt::sim
