// Kernels in blocks of kBlockThreads threads, which drivers ask for (FIXED_BLOCKS in AddPtx.cmake).
#ifndef TFRT_GPU_DEVICE_CODE_FIXED_BLOCKS_H_
#define TFRT_GPU_DEVICE_CODE_FIXED_BLOCKS_H_

#include "block_threads.h"
#include "grid.h"

#define TFRT_BLOCK_KERNEL \
  __attribute__((launch_bounds(tfrt::gpu::device::kBlockThreads))) TFRT_KERNEL

#endif  // TFRT_GPU_DEVICE_CODE_FIXED_BLOCKS_H_
