// The source that the build makes of the PTX files (embed_ptx.cmake).
#ifndef TFRT_GPU_DEVICE_CODE_EMBEDDED_MODULES_H_
#define TFRT_GPU_DEVICE_CODE_EMBEDDED_MODULES_H_

#include <span>

#include "device_code.h"

namespace tfrt::gpu {

std::span<const DeviceModule> EmbeddedModules();

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_EMBEDDED_MODULES_H_
