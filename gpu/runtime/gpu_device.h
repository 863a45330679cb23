// GpuDevice: a GPU as a device of the op runtime, "gpu:0".
#ifndef TFRT_GPU_RUNTIME_GPU_DEVICE_H_
#define TFRT_GPU_RUNTIME_GPU_DEVICE_H_

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "context.h"
#include "gpu_contexts.h"
#include "lib/runtime/host/timeline.h"
#include "pinned_allocator.h"
#include "spare_memory.h"
#include "stream.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/memory_space.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"
#include "upload_gate.h"

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::gpu {

inline constexpr std::string_view kGpuKind = "gpu";
// The type of the tensors that its ops compute on.
inline constexpr std::string_view kDenseGpuName = "DenseGpu";

// Registers the kind "gpu" at a host: gpu:0, gpu:1, ..., on their primary contexts. Their options
// are DeviceManager::accelerator_options. Opens nothing. Returns AlreadyExists if it is registered.
Status RegisterGpuDevices(HostContext& host);
// As above, with options. Also returns the errors of GpuContexts::SetOptions.
Status RegisterGpuDevices(HostContext& host, GpuOptions options);

// Four streams of a primary context, so that copies in both directions, copies from other GPUs, and
// ops overlap.
// Thread-safe. Lives until the last tensor in its memory is destroyed.
class GpuDevice final : public Device {
 public:
  // Creates the device "gpu:N" of the context, which must be primary.
  static StatusOr<RCReference<GpuDevice>> Create(const std::string& name,
                                                 RCReference<Context> context,
                                                 const AcceleratorOptions& options = {});
  ~GpuDevice() override;

  // Allocates page-locked memory, so that a copy of the device needs no second one.
  PinnedAllocator* allocator() override { return &host_memory_; }
  std::string_view tensor_type_name() const override { return kDenseGpuName; }
  const MemorySpace& memory_space() const override { return context_->memory_space(); }
  // Returns compute, h2d, d2h, d2d. A driver that runs no host code on a stream makes two of their
  // functions slower. Enqueue, and WaitFor of an event of another kind of device, then block the
  // calling thread.
  std::span<Timeline* const> timelines() const override { return timelines_; }

  StatusOr<DeviceMemoryStatistics> memory_statistics() const override;
  Status TrimMemory() override;

  Context& context() const { return *context_; }
  Stream& compute() const { return *streams_[0]; }
  Stream& h2d() const { return *streams_[1]; }
  Stream& d2h() const { return *streams_[2]; }
  // For copies from other GPUs, which wait for these: h2d is not to wait.
  Stream& d2d() const { return *streams_[3]; }
  UploadGate& upload_gate() { return upload_gate_; }
  // Returns the list of those who keep memory that MakeRoom lets them drop.
  SpareMemory& spare_memory() { return spare_memory_; }

  // Allocates memory for the next commands of a stream of the device. If none is free, keepers of
  // copies drop them. Fails like Context::Allocate.
  StatusOr<RCReference<Memory>> Allocate(Stream& stream, size_t size_bytes);

 private:
  static constexpr size_t kNumStreams = 4;
  using Streams = std::array<RCReference<Stream>, kNumStreams>;
  GpuDevice(const std::string& name, RCReference<Context> context, Streams streams,
            const AcceleratorOptions& options);

  const RCReference<Context> context_;
  PinnedAllocator host_memory_;
  const Streams streams_;
  std::array<std::unique_ptr<Timeline>, kNumStreams> owned_timelines_;
  std::array<Timeline*, kNumStreams> timelines_;
  UploadGate upload_gate_;
  SpareMemory spare_memory_;
};

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_RUNTIME_GPU_DEVICE_H_
