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
  return host.device_manager().RegisterKind(
      kGpuKind, [](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
        TFRT_ASSIGN_OR_RETURN(RCReference<Context> context,
                              host->GetOrCreateSharedContext<GpuContexts>().GetPrimary(ordinal));
        TFRT_ASSIGN_OR_RETURN(
            RCReference<GpuDevice> device,
            GpuDevice::Create(DeviceName{std::string(kGpuKind), ordinal}.ToString(),
                              std::move(context)));
        return RCReference<Device>(std::move(device));
      });
}

StatusOr<RCReference<GpuDevice>> GpuDevice::Create(const std::string& name,
                                                   RCReference<Context> context) {
  Streams streams;
  for (RCReference<Stream>& stream : streams) {
    TFRT_ASSIGN_OR_RETURN(stream, context->CreateStream());
  }
  return TakeRef(new GpuDevice(name, std::move(context), std::move(streams)));
}

GpuDevice::GpuDevice(const std::string& name, RCReference<Context> context, Streams streams)
    : Device(name),
      context_(std::move(context)),
      host_memory_(context_.get()),
      streams_(std::move(streams)) {
  constexpr std::string_view kNames[kNumStreams] = {"compute", "h2d", "d2h"};
  for (size_t i = 0; i < kNumStreams; ++i) {
    owned_timelines_[i] =
        std::make_unique<StreamTimeline>(StrCat(name, "/", kNames[i]), streams_[i]);
    timelines_[i] = owned_timelines_[i].get();
  }
}

GpuDevice::~GpuDevice() = default;

StatusOr<RCReference<Memory>> GpuDevice::Allocate(Stream& stream, size_t size_bytes) {
  StatusOr<RCReference<Memory>> memory = context_->Allocate(stream, size_bytes);
  if (!memory.ok() && memory.status().code() == StatusCode::kResourceExhausted && MakeRoom()) {
    return context_->Allocate(stream, size_bytes);
  }
  return memory;
}

}  // namespace tfrt::gpu
