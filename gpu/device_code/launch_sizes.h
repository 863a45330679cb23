// Sizes that kernels and the code that launches them must agree on. Plain constants: part of the
// host library, too.
#ifndef TFRT_GPU_DEVICE_CODE_LAUNCH_SIZES_H_
#define TFRT_GPU_DEVICE_CODE_LAUNCH_SIZES_H_

namespace tfrt::gpu::device {

// transpose: square tiles, and the threads of a block.
inline constexpr int kTransposeTile = 32;
inline constexpr int kTransposeThreads = 256;

// matmul: tiles of the output, the depth that is in shared memory at a time, threads of a block.
inline constexpr int kMatMulTile = 64;
inline constexpr int kMatMulDepth = 16;
inline constexpr int kMatMulThreads = 256;

// reduce, softmax: threads of a block, whole warps.
inline constexpr int kWarp = 32;
inline constexpr int kMostRowThreads = 256;

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_LAUNCH_SIZES_H_
