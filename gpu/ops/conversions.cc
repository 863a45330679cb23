#include "conversions.h"

#include <utility>

#include "array_exchange.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/gpu_device.h"
#include "gpu/runtime/launch_scope.h"
#include "gpu/runtime/staging.h"
#include "gpu/tensor/dense_gpu_tensor.h"
#include "tfrt/host_context/host_buffer.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::gpu {
namespace {

GpuDevice& DeviceOf(Device& device) { return static_cast<GpuDevice&>(device); }

AsyncValueRef<Tensor> HostToGpu(const Tensor& tensor, const ConversionDevices& devices,
                                const ExecutionContext& exec_ctx) {
  LaunchScope scope("a copy to the device", exec_ctx.location());
  StatusOr<DenseHostTensor> dense = ToDenseHostTensor(tensor, exec_ctx);
  if (!dense.ok()) return dense.status();
  GpuDevice& device = DeviceOf(devices.to);
  if (Status room = device.upload_gate().Admit(dense->size_bytes()); !room.ok()) return room;
  // Memory of the compute stream would be there only when the work that it has now has run.
  StatusOr<RCReference<Memory>> memory = device.Allocate(device.h2d(), dense->size_bytes());
  if (!memory.ok()) return memory.status();
  const MemoryRange bytes = (*memory)->bytes();
  return device.context()
      .staging()
      .CopyToDevice(FormRef(&device.h2d()), bytes, dense->data(),
                    TaskFunction([buffer = dense->ShareBuffer()] {}), &exec_ctx.work_queue())
      .Map([metadata = tensor.metadata(), memory = *std::move(memory)](Point& written) mutable {
        return DenseGpuTensor(std::move(metadata), memory->bytes(), written);
      });
}

// Copies into page-locked memory, which the result keeps.
AsyncValueRef<Tensor> ToPinned(const DenseGpuTensor& tensor, RCReference<Memory> pinned,
                               Stream& d2h, const ExecutionContext& exec_ctx) {
  StatusOr<Point> copied = d2h.Copy(pinned->bytes(), tensor.range());
  if (!copied.ok()) return copied.status();
  AsyncValueRef<Chain> done = d2h.context().WhenDone(*copied, &exec_ctx.work_queue());
  auto result = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  done.AndThen([done = done.AsPtr(), result = result.CopyRef(), metadata = tensor.metadata(),
                pinned = std::move(pinned)]() mutable {
    if (done.IsError()) return result.SetError(done.GetError());
    void* data = pinned->host_address();
    const size_t size_bytes = pinned->size_bytes();
    auto buffer = HostBuffer::CreateFromExternal(data, size_bytes,
                                                 [pinned = std::move(pinned)](void*, size_t) {});
    result.emplace(*DenseHostTensor::CreateFromBuffer(std::move(metadata), std::move(buffer)));
  });
  return result;
}

// Copies into memory of the host's allocator, through page-locked memory.
AsyncValueRef<Tensor> ToPageable(const DenseGpuTensor& tensor, const ConversionDevices& devices,
                                 Stream& d2h, const ExecutionContext& exec_ctx) {
  auto copy = DenseHostTensor::CreateUninitialized(tensor.metadata(), devices.allocator);
  if (!copy.ok()) return copy.status();
  void* data = *copy->MutableData();
  AsyncValueRef<Chain> done = d2h.context().staging().CopyToHost(
      FormRef(&d2h), data, tensor.range(), TaskFunction([buffer = copy->ShareBuffer()] {}),
      &exec_ctx.work_queue());
  auto result = MakeUnconstructedAsyncValueRef<DenseHostTensor>();
  done.AndThen([done = done.AsPtr(), result = result.CopyRef(), copy = *std::move(copy)]() mutable {
    if (done.IsError()) return result.SetError(done.GetError());
    result.emplace(std::move(copy));
  });
  return result;
}

AsyncValueRef<Tensor> GpuToHost(const Tensor& tensor, const ConversionDevices& devices,
                                const ExecutionContext& exec_ctx) {
  LaunchScope scope("a copy to the host", exec_ctx.location());
  const auto& from = static_cast<const DenseGpuTensor&>(tensor);
  Stream& d2h = DeviceOf(devices.from).d2h();
  if (from.range().size_bytes != 0) {
    if (Status status = from.OrderReads(d2h); !status.ok()) return status;
    StatusOr<RCReference<Memory>> pinned = d2h.context().AllocatePinned(from.range().size_bytes);
    if (pinned.ok()) return ToPinned(from, *std::move(pinned), d2h, exec_ctx);
    if (pinned.status().code() != StatusCode::kResourceExhausted) return pinned.status();
  }
  return ToPageable(from, devices, d2h, exec_ctx);
}

// In the stream d2d of the destination, whose other streams may be busy, or are not to wait for the
// source.
AsyncValueRef<Tensor> GpuToGpu(const Tensor& tensor, const ConversionDevices& devices,
                               const ExecutionContext& exec_ctx) {
  LaunchScope scope("a copy between devices", exec_ctx.location());
  const auto& from = static_cast<const DenseGpuTensor&>(tensor);
  GpuDevice& device = DeviceOf(devices.to);
  Stream& stream = device.d2d();
  StatusOr<RCReference<Memory>> memory = device.Allocate(stream, from.range().size_bytes);
  if (!memory.ok()) return memory.status();
  const MemoryRange bytes = (*memory)->bytes();
  Point written;
  if (bytes.size_bytes != 0) {
    Status ready = device.context().EnableCopiesFrom(from.range().memory->context());
    if (ready.ok()) ready = from.OrderReads(stream);
    if (!ready.ok()) return ready;
    StatusOr<Point> copied = stream.Copy(bytes, from.range());
    if (!copied.ok()) return copied.status();
    written = *copied;
  }
  return MakeAvailableAsyncValueRef<DenseGpuTensor>(tensor.metadata(), bytes, written);
}

}  // namespace

Status RegisterGpuConversions(ConversionRegistry* conversions) {
  TFRT_RETURN_IF_ERROR(conversions->AddExchange(kGpuKind, &GpuArrayExchange()));
  return RegisterDeviceConversions(
      conversions, {kDenseGpuTensorType, kGpuKind},
      {.from_host = HostToGpu, .to_host = GpuToHost, .between = GpuToGpu});
}

}  // namespace tfrt::gpu
