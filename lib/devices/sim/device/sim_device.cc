#include "sim_device.h"

#include <algorithm>
#include <utility>

#include "sim_tensor.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::sim {
namespace {

class StreamEvent final : public TimelineEvent {
 public:
  explicit StreamEvent(Event event)
      : TimelineEvent(GetTypeId<StreamEvent>()), event_(std::move(event)) {}
  AsyncValueRef<Chain> done() const override { return event_.done(); }
  Status Wait() const override { return event_.Wait(); }
  const Event& event() const { return event_; }

 private:
  const Event event_;
};

class StreamTimeline final : public Timeline {
 public:
  explicit StreamTimeline(Stream* stream) : stream_(*stream) {}
  std::string_view name() const override { return stream_.name(); }
  void Enqueue(std::string_view operation, TaskFunction work) override {
    stream_.Launch(operation, {}, [work = std::move(work)](std::span<std::byte* const>) mutable {
      TimelineScope on_timeline;
      work();
      return OkStatus();
    });
  }
  RCReference<TimelineEvent> Record() override {
    return TakeRef<TimelineEvent>(new StreamEvent(stream_.Record()));
  }
  void WaitFor(RCReference<TimelineEvent> event) override {
    if (event->type() == GetTypeId<StreamEvent>()) {
      return stream_.WaitFor(static_cast<const StreamEvent&>(*event).event());
    }
    stream_.Call("wait",
                 [event = std::move(event)](std::span<std::byte* const>) { return event->Wait(); });
  }

 private:
  Stream& stream_;
};

}  // namespace

StatusOr<RCReference<SimDevice>> SimDevice::Create(int ordinal, const SimDeviceOptions& options) {
  if (ordinal >= options.num_devices) {
    return NotFoundError(StrCat("there is no ",
                                DeviceName{std::string(kSimKind), ordinal}.ToString(),
                                ": sim devices are ", options.num_devices, " in number"));
  }
  TFRT_ASSIGN_OR_RETURN(
      auto accelerator,
      Accelerator::Create({.name = DeviceName{std::string(kSimKind), ordinal}.ToString(),
                           .memory_bytes = options.memory_bytes,
                           .delay = options.delay,
                           .observer = options.observer}));
  return TakeRef(new SimDevice(std::move(accelerator)));
}

SimDevice::SimDevice(std::unique_ptr<Accelerator> accelerator)
    : Device(accelerator->name()),
      memory_space_(accelerator->name(), /*is_host_readable=*/false),
      host_memory_(CreateMallocAllocator()),
      accelerator_(std::move(accelerator)) {
  Stream* streams[] = {&accelerator_->compute(), &accelerator_->h2d(), &accelerator_->d2h(),
                       &accelerator_->d2d()};
  for (size_t i = 0; i < owned_timelines_.size(); ++i) {
    owned_timelines_[i] = std::make_unique<StreamTimeline>(streams[i]);
    timelines_[i] = owned_timelines_[i].get();
  }
}

SimDevice::~SimDevice() = default;

std::string_view SimDevice::tensor_type_name() const { return kDenseSimTensorType.name(); }

StatusOr<DeviceMemoryStatistics> SimDevice::memory_statistics() const {
  const Accelerator::MemoryStatistics memory = accelerator_->memory_statistics();
  return DeviceMemoryStatistics{.bytes_in_use = memory.bytes_in_use,
                                .peak_bytes_in_use = memory.peak_bytes_in_use,
                                .peak_bytes_reserved = memory.peak_bytes_in_use,
                                .limit_bytes = accelerator_->memory().size_bytes()};
}

StatusOr<void*> SimDevice::AllocateBlock(std::string_view operation, size_t size_bytes) {
  StatusOr<void*> block = accelerator_->compute().Allocate(operation, size_bytes);
  if (!block.ok() && block.status().code() == StatusCode::kResourceExhausted && MakeRoom()) {
    block = accelerator_->compute().Allocate(operation, size_bytes);
  }
  if (!block.ok() && block.status().code() == StatusCode::kResourceExhausted) {
    return ResourceExhaustedError("Cannot allocate tensor");
  }
  return block;
}

Status RegisterSimDevices(HostContext& host, const SimDeviceOptions& options,
                          std::unique_ptr<const OpRunner> runner) {
  TFRT_RETURN_IF_ERROR(host.device_manager().RegisterKind(
      kSimKind,
      [options](HostContext* host, int ordinal) -> StatusOr<RCReference<Device>> {
        SimDeviceOptions limited = options;
        const size_t limit_bytes = host->device_manager().accelerator_options().memory_limit_bytes;
        if (limit_bytes != 0) limited.memory_bytes = std::min(limited.memory_bytes, limit_bytes);
        TFRT_ASSIGN_OR_RETURN(RCReference<SimDevice> device, SimDevice::Create(ordinal, limited));
        return RCReference<Device>(std::move(device));
      },
      [options](HostContext*) -> StatusOr<int> {
        if (options.num_devices > 0) return options.num_devices;
        return NotFoundError("sim devices are 0 in number");
      }));
  if (!runner) runner = MakeSimOpRunner();
  TFRT_RETURN_IF_ERROR(
      host.GetOrCreateSharedContext<OpRunnerRegistry>().Add(kSimKind, std::move(runner)));
  return RegisterSimConversions(&host.GetOrCreateSharedContext<ConversionRegistry>());
}

}  // namespace tfrt::sim
