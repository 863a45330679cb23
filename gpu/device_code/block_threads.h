// Sizes that kernels of fixed_blocks.h and launch_blocks.h, which launches them, must agree on.
// Plain constants: part of the host library, too.
#ifndef TFRT_GPU_DEVICE_CODE_BLOCK_THREADS_H_
#define TFRT_GPU_DEVICE_CODE_BLOCK_THREADS_H_

namespace tfrt::gpu::device {

// The threads of a block.
inline constexpr int kBlockThreads = 256;

// cumulative_sum: as many columns side by side are summed by a thread each, fewer by a block each.
inline constexpr int kManyScanColumns = 32;

// Rows of at most so many elements are computed by a warp each, longer ones by a block each.
inline constexpr int kWarpRow = 1024;

// Sums of columns: a block takes so many side by side, and as many rows at a time as it has threads
// left.
inline constexpr int kColumnsAtOnce = 32;

// attention: a block takes so many queries, and so many elements of their results.
inline constexpr int kAttentionRows = 64;
inline constexpr int kAttentionColumns = 128;

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_BLOCK_THREADS_H_
