#include "array_exchange.h"

#include <utility>

#include "gpu/runtime/context.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/stream.h"
#include "gpu/tensor/dense_gpu_tensor.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {
namespace {

constexpr int32_t kDlpackCuda = 2;

Status CheckStream(ForeignStream stream) {
  if (static_cast<int64_t>(stream) != 0) return OkStatus();
  return InvalidArgumentError(
      "the stream 0 is ambiguous: name 1, the legacy default stream, or 2, that of the thread");
}

cuda::CUstream HandleOf(ForeignStream stream) {
  static_assert(static_cast<uintptr_t>(ForeignStream::kLegacyDefault) == cuda::kLegacyStream &&
                static_cast<uintptr_t>(ForeignStream::kPerThreadDefault) == cuda::kPerThreadStream);
  return reinterpret_cast<cuda::CUstream>(static_cast<uintptr_t>(stream));
}

// Orders commands of two streams, one of which is of another library, so that its commands have no
// points. The driver's event is made before: a lack of memory is mended by a wait for all streams,
// which must not come in the middle of a stream's call.
class OrderingEvent {
 public:
  static StatusOr<OrderingEvent> Make(Context& context) {
    TFRT_RETURN_IF_ERROR(context.Enter());
    const cuda::DriverTable& driver = context.driver();
    cuda::CUevent event = nullptr;
    TFRT_RETURN_IF_ERROR(context.Check(
        context.Call([&] { return driver.cuEventCreate(&event, cuda::CU_EVENT_DISABLE_TIMING); }),
        "cuEventCreate"));
    return OrderingEvent(context, event);
  }
  OrderingEvent(OrderingEvent&& other) noexcept
      : context_(other.context_), event_(std::exchange(other.event_, nullptr)) {}
  // The driver keeps the event for the waits.
  ~OrderingEvent() {
    if (event_) (void)context_.driver().cuEventDestroy_v2(event_);
  }

  // Makes later commands of `waiting` run after those that `first` has by now. The context is
  // current.
  Status Order(cuda::CUstream first, cuda::CUstream waiting) const {
    const cuda::DriverTable& driver = context_.driver();
    const char* call = "cuEventRecord";
    cuda::CUresult result = driver.cuEventRecord(event_, first);
    if (result == cuda::CUDA_SUCCESS) {
      call = "cuStreamWaitEvent";
      result = driver.cuStreamWaitEvent(waiting, event_, 0);
    }
    return context_.Check(result, call, "a stream of another library");
  }

 private:
  OrderingEvent(Context& context, cuda::CUevent event) : context_(context), event_(event) {}

  Context& context_;
  cuda::CUevent event_;
};

// Notes in the memory that it is used until the commands have run that `stream` has by now.
Status NoteForeignUse(const Memory& memory, cuda::CUstream stream) {
  Context& context = memory.context();
  TFRT_ASSIGN_OR_RETURN(RCReference<Stream> after, context.CreateStream());
  TFRT_ASSIGN_OR_RETURN(OrderingEvent event, OrderingEvent::Make(context));
  const Memory* memories[] = {&memory};
  return after
      ->Enqueue("the return of an array", memories,
                [&] { return event.Order(stream, after->handle()); })
      .status();
}

// InvalidArgument unless the byte is in memory of the context's device that the context can use.
Status CheckIsOnDevice(Context& context, cuda::CUdeviceptr address) {
  uint32_t type = 0;
  int ordinal = -1;
  cuda::CUcontext owner = nullptr;
  cuda::CUpointer_attribute attributes[] = {cuda::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                            cuda::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                            cuda::CU_POINTER_ATTRIBUTE_CONTEXT};
  void* values[] = {&type, &ordinal, &owner};
  TFRT_RETURN_IF_ERROR(context.EnterAnew());
  TFRT_RETURN_IF_ERROR(
      context.Check(context.driver().cuPointerGetAttributes(3, attributes, values, address),
                    "cuPointerGetAttributes"));
  if (type != cuda::CU_MEMORYTYPE_DEVICE || ordinal != context.device()) {
    return InvalidArgumentError(
        StrCat("the address ", PointerText(address), " is not in memory of ", context.name()));
  }
  // Memory of a pool has no context.
  if (owner && owner != context.handle()) {
    return InvalidArgumentError(StrCat("the address ", PointerText(address),
                                       " belongs to another "
                                       "context than the primary one of ",
                                       context.name()));
  }
  return OkStatus();
}

class Exchange final : public ArrayExchange {
 public:
  int32_t dlpack_memory_type() const override { return kDlpackCuda; }

  StatusOr<void*> Lend(const Tensor& tensor, ForeignStream stream) const override {
    TFRT_RETURN_IF_ERROR(CheckStream(stream));
    const auto& elements = static_cast<const DenseGpuTensor&>(tensor);
    if (elements.range().size_bytes == 0) return nullptr;
    void* address = reinterpret_cast<void*>(static_cast<uintptr_t>(elements.range().address));
    if (stream == ForeignStream::kNone) return address;
    Context& context = elements.range().memory->context();
    // A stream of its own, so that neither side waits for what else the device has to do.
    TFRT_ASSIGN_OR_RETURN(RCReference<Stream> after, context.CreateStream());
    TFRT_RETURN_IF_ERROR(elements.OrderReads(*after));
    TFRT_ASSIGN_OR_RETURN(OrderingEvent event, OrderingEvent::Make(context));
    TFRT_RETURN_IF_ERROR(
        after
            ->Enqueue("a wait of another library", {},
                      [&] { return event.Order(after->handle(), HandleOf(stream)); })
            .status());
    return address;
  }

  void TakeBack(const Tensor& tensor, ForeignStream stream) const override {
    const MemoryRange& range = static_cast<const DenseGpuTensor&>(tensor).range();
    if (range.size_bytes == 0 || stream != ForeignStream::kLegacyDefault) return;
    if (NoteForeignUse(*range.memory, HandleOf(stream)).ok()) return;
    // Without a stream or an event for it, this thread waits for what uses the memory.
    Context& context = range.memory->context();
    if (context.Enter().ok()) (void)context.driver().cuStreamSynchronize(HandleOf(stream));
  }

  StatusOr<AsyncValueRef<Tensor>> Borrow(Device& device, TensorMetadata metadata, void* elements,
                                         ForeignStream stream,
                                         TaskFunction& release) const override {
    TFRT_RETURN_IF_ERROR(CheckStream(stream));
    auto& gpu = static_cast<GpuDevice&>(device);
    Context& context = gpu.context();
    const size_t element_bytes = DTypeSize(metadata.dtype);
    const size_t size_bytes = element_bytes * metadata.shape.num_elements();
    const auto address = static_cast<cuda::CUdeviceptr>(reinterpret_cast<uintptr_t>(elements));
    if (size_bytes != 0) {
      if (address % element_bytes != 0) {
        return InvalidArgumentError(StrCat("the address ", PointerText(address),
                                           " is not a multiple of the element size (",
                                           element_bytes, ")"));
      }
      const cuda::CUdeviceptr last = address + size_bytes - 1;
      if (last < address) {
        return InvalidArgumentError(StrCat(size_bytes, " bytes from ", PointerText(address),
                                           " on are past the end of all addresses"));
      }
      TFRT_RETURN_IF_ERROR(CheckIsOnDevice(context, address));
      TFRT_RETURN_IF_ERROR(CheckIsOnDevice(context, last));
    }
    Point written;
    if (stream != ForeignStream::kNone && size_bytes != 0) {
      Stream& d2d = gpu.d2d();
      TFRT_ASSIGN_OR_RETURN(OrderingEvent event, OrderingEvent::Make(context));
      // Its own stream is ordered by itself: the point is all that is new.
      auto wait = [&] {
        return HandleOf(stream) == d2d.handle() ? OkStatus()
                                                : event.Order(HandleOf(stream), d2d.handle());
      };
      TFRT_ASSIGN_OR_RETURN(written, d2d.Enqueue("a wait for another library", {}, wait));
    }
    RCReference<Memory> memory = context.Borrow(address, size_bytes, std::move(release));
    // The memory must not go before that point, even if no command reads it.
    if (written) memory->NoteUse(written);
    return AsyncValueRef<Tensor>(
        MakeAvailableAsyncValueRef<DenseGpuTensor>(std::move(metadata), memory->bytes(), written));
  }

  ForeignStream StreamForProducers(Device& device) const override {
    return static_cast<ForeignStream>(
        reinterpret_cast<intptr_t>(static_cast<GpuDevice&>(device).d2d().handle()));
  }
};

}  // namespace

const ArrayExchange& GpuArrayExchange() {
  static const auto& exchange = *new Exchange;
  return exchange;
}

}  // namespace tfrt::gpu
