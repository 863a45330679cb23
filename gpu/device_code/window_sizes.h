// Sizes that the kernels of conv.cu and launch_windows.h must agree on. Plain constants: part of
// the host library, too.
#ifndef TFRT_GPU_DEVICE_CODE_WINDOW_SIZES_H_
#define TFRT_GPU_DEVICE_CODE_WINDOW_SIZES_H_

namespace tfrt::gpu::device {

// Tiles of the result, and the depth that is in shared memory at a time.
inline constexpr int kConvTile = 64;
inline constexpr int kConvDepth = 16;

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_WINDOW_SIZES_H_
