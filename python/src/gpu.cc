#include "gpu.h"

#include <memory>
#include <mutex>
#include <string_view>

#include "tfrt/host_context/device.h"
#include "tfrt/support/status.h"

#ifndef TFRT_PYTHON_NO_GPU
#include "gpu/ops/gpu_op_devices.h"
#endif

namespace tfrt::python {
namespace {

class GpuSource final : public DeviceSource {
 public:
  Status RegisterKind(HostContext* host, std::string_view kind) override {
    if (kind != "gpu") return OkStatus();
#ifdef TFRT_PYTHON_NO_GPU
    return UnavailableError("this build of the package tfrt has no GPU half: " TFRT_PYTHON_NO_GPU);
#else
    std::call_once(once_, [&] { status_ = gpu::RegisterGpuOpDevices(*host); });
    return status_;
#endif
  }

 private:
  std::once_flag once_;
  Status status_;  // written once
};

}  // namespace

void OfferGpuDevices(HostContext& host) {
  host.device_manager().set_source(std::make_unique<GpuSource>());
}

}  // namespace tfrt::python
