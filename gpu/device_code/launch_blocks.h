// How to launch the kernels with blocks of kBlockThreads threads (fixed_blocks.h): grids by the
// sizes of the problem. As launch.h: plain numbers, grids are bounded, and results do not depend on
// them.
#ifndef TFRT_GPU_DEVICE_CODE_LAUNCH_BLOCKS_H_
#define TFRT_GPU_DEVICE_CODE_LAUNCH_BLOCKS_H_

#include <cstdint>

#include "launch.h"

namespace tfrt::gpu {

// A thread for each of so many elements or units: kernels that the others below do not name.
DeviceLaunch ThreadsLaunch(int64_t count);
// A block for each of so many things.
DeviceLaunch BlocksLaunch(int64_t count);

// cumulative_sum_*: in [outer,size,inner].
DeviceLaunch ScanLaunch(int64_t outer, int64_t size, int64_t inner);
// top_k_*: values [outer,k,inner].
DeviceLaunch TopKLaunch(int64_t outer, int64_t inner, int64_t k);
// scatter_*: `updates` elements into `elements`. Each block looks at all indices.
DeviceLaunch ScatterLaunch(int64_t updates, int64_t elements);

// attention_*: results [batch,heads,queries,value_size].
DeviceLaunch AttentionLaunch(int64_t batch, int64_t heads, int64_t queries, int64_t value_size);

// layer_norm_*, rms_norm_*, group_norm_* (a row for each group), softmax_grad_*,
// log_softmax_grad_*, cross_entropy_*, dense_cross_entropy_*, hardmax_*: [rows,columns].
DeviceLaunch TeamRowsLaunch(int64_t rows, int64_t columns);
// Kernels with the argument `num_parts`, which follows from the sizes alone: [rows,columns].
int64_t ColumnParts(int64_t rows, int64_t columns);
DeviceLaunch ColumnPartsLaunch(int64_t rows, int64_t columns);

}  // namespace tfrt::gpu

#endif  // TFRT_GPU_DEVICE_CODE_LAUNCH_BLOCKS_H_
