// ContextDevice: what cuDNN knows of a context's device.
#ifndef TFRT_GPU_LIBRARIES_DNN_CONTEXT_DEVICE_H_
#define TFRT_GPU_LIBRARIES_DNN_CONTEXT_DEVICE_H_

#include <mutex>
#include <optional>

#include "gpu/abi/cudnn_table.h"
#include "gpu/runtime/context.h"
#include "gpu/runtime/context_part.h"
#include "planner.h"
#include "tfrt/support/status.h"

namespace tfrt::gpu::dnn {

// Found with `context.Part<ContextDevice>()`. Thread-safe.
class ContextDevice final : public ContextPart {
 public:
  explicit ContextDevice(Context* context) : context_(context) {}

  // Returns the description, which the first call that succeeds makes. It lives as long as this.
  StatusOr<const DeviceDescription*> Get(const cudnn::Table& table);

 private:
  Context* const context_;
  std::mutex mutex_;
  std::optional<DeviceDescription> description_;  // under mutex_, and not changed any more
};

}  // namespace tfrt::gpu::dnn

#endif  // TFRT_GPU_LIBRARIES_DNN_CONTEXT_DEVICE_H_
