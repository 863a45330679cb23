// How to launch the kernels with blocks of kBlockThreads threads (fixed_blocks.h): grids by the
// sizes of the problem. As launch.h: plain numbers, grids are bounded, and results do not depend on
// them.
#ifndef TFRT_GPU_DEVICE_CODE_LAUNCH_BLOCKS_H_
#define TFRT_GPU_DEVICE_CODE_LAUNCH_BLOCKS_H_

#include <cstdint>

#include "launch.h"

namespace tfrt::gpu {

// A thread for each of so many elements or units. copy_*, pad_*, gather_*, select_*, one_hot_*,
// triangle_*, reverse_sequence_*, eye_*.
DeviceLaunch ThreadsLaunch(int64_t count);
// A block for each of so many things.
DeviceLaunch BlocksLaunch(int64_t count);

// cumulative_sum_*: in [outer,size,inner].
DeviceLaunch ScanLaunch(int64_t outer, int64_t size, int64_t inner);
// top_k_*: values [outer,k,inner].
DeviceLaunch TopKLaunch(int64_t outer, int64_t inner, int64_t k);
// scatter_*: `updates` elements into `elements`. Each block looks at all indices.
DeviceLaunch ScatterLaunch(int64_t updates, int64_t elements);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_LAUNCH_BLOCKS_H_
