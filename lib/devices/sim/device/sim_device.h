// SimDevice: an Accelerator as a device of the op runtime, "sim:0". Ops run on its streams, on
// tensors that the host cannot read (docs/devices.md).
#ifndef TFRT_LIB_DEVICES_SIM_DEVICE_SIM_DEVICE_H_
#define TFRT_LIB_DEVICES_SIM_DEVICE_SIM_DEVICE_H_

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "lib/devices/sim/accelerator.h"
#include "lib/ops/op_call/op_runner.h"
#include "lib/runtime/host/timeline.h"
#include "lib/runtime/tensor/conversion.h"
#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/memory_space.h"
#include "tfrt/support/ref_count.h"
#include "tfrt/support/status.h"

namespace tfrt {
class HostContext;
}  // namespace tfrt

namespace tfrt::sim {

inline constexpr std::string_view kSimKind = "sim";

struct SimDeviceOptions {
  // The number of devices: sim:0, sim:1, ...
  int num_devices = 8;
  // Values for each device; see sim::AcceleratorOptions. The memory is also limited by the host's
  // tfrt::AcceleratorOptions.
  size_t memory_bytes = size_t{1} << 30;
  Delay delay;
  // Receives all events; may be null. Must outlive the devices and their tensors.
  TimelineObserver* observer = nullptr;
};

// Registers the kind "sim" at a host: its devices, the way ops run on them, and the conversions of
// tensors to and from them. Must come before the host's first conversion and its first context.
// Fails with AlreadyExists if the kind is registered. `runner` runs the ops; null:
// MakeSimOpRunner().
Status RegisterSimDevices(HostContext& host, const SimDeviceOptions& options = {},
                          std::unique_ptr<const OpRunner> runner = nullptr);

// --- The parts, for hosts that replace one of them. ---

// Thread-safe. Lives until the last tensor in its memory is destroyed.
class SimDevice final : public Device {
 public:
  // Fails with NotFound if no device has this number.
  static StatusOr<RCReference<SimDevice>> Create(int ordinal, const SimDeviceOptions& options);
  ~SimDevice() override;

  HostAllocator* allocator() override { return host_memory_.get(); }
  std::string_view tensor_type_name() const override;
  const MemorySpace& memory_space() const override { return memory_space_; }
  // Returns compute, h2d, d2h, d2d.
  std::span<Timeline* const> timelines() const override { return timelines_; }

  StatusOr<DeviceMemoryStatistics> memory_statistics() const override;

  Accelerator& accelerator() { return *accelerator_; }

  // Allocates a block in the order of the compute stream. If none is free, keepers of copies drop
  // them. Fails with ResourceExhausted "Cannot allocate tensor".
  StatusOr<void*> AllocateBlock(std::string_view operation, size_t size_bytes);

 private:
  explicit SimDevice(std::unique_ptr<Accelerator> accelerator);

  const MemorySpace memory_space_;
  const std::unique_ptr<HostAllocator> host_memory_;
  const std::unique_ptr<Accelerator> accelerator_;
  std::array<std::unique_ptr<Timeline>, 4> owned_timelines_;
  std::array<Timeline*, 4> timelines_;
};

// Registers the conversions between tensors of CPUs and of sim devices, and of two of these.
Status RegisterSimConversions(ConversionRegistry* conversions);

// Returns a runner that runs the CPU's functions of ops on the compute stream.
std::unique_ptr<const OpRunner> MakeSimOpRunner();

}  // namespace tfrt::sim

#endif  // TFRT_LIB_DEVICES_SIM_DEVICE_SIM_DEVICE_H_
