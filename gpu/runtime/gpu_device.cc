#include "gpu_device.h"

#include <utility>

#include "stream_timeline.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

Status RegisterGpuDevices(HostContext& host, GpuOptions options) {
  TFRT_RETURN_IF_ERROR(host.GetOrCreateSharedContext<GpuContexts>().SetOptions(std::move(options)));
  return RegisterGpuDevices(host);
}

Status RegisterGpuDevices(HostContext& host) {
  auto make = [](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
    TFRT_ASSIGN_OR_RETURN(RCReference<Context> context,
                          host->GetOrCreateSharedContext<GpuContexts>().GetPrimary(ordinal));
    TFRT_ASSIGN_OR_RETURN(
        RCReference<GpuDevice> device,
        GpuDevice::Create(DeviceName{std::string(kGpuKind), ordinal}.ToString(), std::move(context),
                          host->device_manager().accelerator_options()));
    return RCReference<Device>(std::move(device));
  };
  auto count = [](HostContext* host) {
    return host->GetOrCreateSharedContext<GpuContexts>().NumDevices();
  };
  return host.device_manager().RegisterKind(kGpuKind, make, count);
}

StatusOr<RCReference<GpuDevice>> GpuDevice::Create(const std::string& name,
                                                   RCReference<Context> context,
                                                   const AcceleratorOptions& options) {
  Streams streams;
  for (RCReference<Stream>& stream : streams) {
    if (options.single_stream && streams[0]) {
      stream = streams[0];
      continue;
    }
    TFRT_ASSIGN_OR_RETURN(stream, context->CreateStream());
  }
  return TakeRef(new GpuDevice(name, std::move(context), std::move(streams), options));
}

GpuDevice::GpuDevice(const std::string& name, RCReference<Context> context, Streams streams,
                     const AcceleratorOptions& options)
    : Device(name),
      context_(std::move(context)),
      host_memory_(context_.get()),
      streams_(std::move(streams)),
      upload_gate_(compute(), h2d(), options.max_in_flight, options.max_in_flight_bytes) {
  constexpr std::string_view kNames[kNumStreams] = {"compute", "h2d", "d2h", "d2d"};
  for (size_t i = 0; i < kNumStreams; ++i) {
    owned_timelines_[i] =
        std::make_unique<StreamTimeline>(StrCat(name, "/", kNames[i]), streams_[i]);
    timelines_[i] = owned_timelines_[i].get();
  }
  AddKeeper([this] { return spare_memory_.Drop(); });
}

GpuDevice::~GpuDevice() = default;

StatusOr<DeviceMemoryStatistics> GpuDevice::memory_statistics() const {
  const MemoryStatistics memory = context_->allocator().statistics();
  return DeviceMemoryStatistics{.bytes_in_use = memory.bytes_in_use,
                                .peak_bytes_in_use = memory.peak_bytes_in_use,
                                .bytes_cached = memory.bytes_cached(),
                                .peak_bytes_reserved = memory.peak_bytes_reserved,
                                .limit_bytes = memory.limit_bytes,
                                .pinned_bytes = context_->pinned_pool().bytes_reserved()};
}

Status GpuDevice::TrimMemory() {
  TFRT_RETURN_IF_ERROR(context_->allocator().Trim());
  TFRT_RETURN_IF_ERROR(context_->EnterAnew());
  context_->pinned_pool().Trim();
  return OkStatus();
}

StatusOr<RCReference<Memory>> GpuDevice::Allocate(Stream& stream, size_t size_bytes) {
  StatusOr<RCReference<Memory>> memory = context_->Allocate(stream, size_bytes);
  if (!memory.ok() && memory.status().code() == StatusCode::kResourceExhausted && MakeRoom()) {
    return context_->Allocate(stream, size_bytes);
  }
  return memory;
}

}  // namespace tfrt::gpu
