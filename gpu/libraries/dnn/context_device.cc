#include "context_device.h"

#include <utility>

#include "gpu/wrapper/cuda_context.h"

namespace tfrt::gpu::dnn {

StatusOr<const DeviceDescription*> ContextDevice::Get(const cudnn::Table& table) {
  std::lock_guard lock(mutex_);
  if (!description_) {
    TFRT_RETURN_IF_ERROR(context_->EnterAnew());
    StatusOr<DeviceDescription> made = DeviceDescription::OfDevice(table, context_->device());
    cuda::Context::ForgetCurrent();  // the library may leave any context current
    if (!made.ok()) return made.status();
    description_ = *std::move(made);
  }
  return &*description_;
}

}  // namespace tfrt::gpu::dnn
