#include "cuda_value.h"

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu {

StatusOr<int32_t> CudaNumber(GpuEnum which, int64_t value) {
  switch (PlatformOf(which, value)) {
    case GpuPlatform::kCuda:
      return static_cast<int32_t>(NumberOf(which, value));
    case GpuPlatform::kRocm:
      return UnimplementedError("Unsupported platform ROCm");
    case GpuPlatform::kNone:
      break;
  }
  return InvalidArgumentError(StrCat("Invalid platform NONE of ", PrintGpuEnum(which, value)));
}

}  // namespace tfrt::gpu
