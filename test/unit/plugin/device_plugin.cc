// A library that brings a kind of devices to the host that loads it.

#include "tfrt/host_context/device.h"
#include "tfrt/host_context/host_allocator.h"
#include "tfrt/host_context/host_context.h"
#include "tfrt/host_context/kernel_registry.h"

namespace {

class PluggedDevice final : public tfrt::Device {
 public:
  PluggedDevice(tfrt::HostContext* host, int ordinal)
      : Device(tfrt::DeviceName{"plugged", ordinal}.ToString()), allocator_(host->allocator()) {}
  tfrt::HostAllocator* allocator() override { return allocator_; }
  std::string_view tensor_type_name() const override { return "DenseHost"; }

 private:
  tfrt::HostAllocator* const allocator_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) void RegisterDevices(tfrt::HostContext* host,
                                                                       tfrt::Status* status) {
  *status = host->device_manager().RegisterKind(
      "plugged",
      [](tfrt::HostContext* host, int ordinal) -> tfrt::StatusOr<tfrt::RCReference<tfrt::Device>> {
        return tfrt::TakeRef<tfrt::Device>(new PluggedDevice(host, ordinal));
      });
}
