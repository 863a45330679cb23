// Kinds of padding. Part of the host library, too.
#ifndef TFRT_GPU_DEVICE_CODE_PAD_MODES_H_
#define TFRT_GPU_DEVICE_CODE_PAD_MODES_H_

#include <stdint.h>  // the compiler's own, as no library is there

namespace tfrt::gpu::device {

enum class PadMode : int32_t { kConstant = 0, kReflect = 1, kEdge = 2, kWrap = 3 };

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_PAD_MODES_H_
