// Kernels in blocks of kBlockThreads threads, which drivers ask for (FIXED_BLOCKS in AddPtx.cmake).
#ifndef TFRT_GPU_DEVICE_CODE_FIXED_BLOCKS_H_
#define TFRT_GPU_DEVICE_CODE_FIXED_BLOCKS_H_

#include "block_threads.h"
#include "grid.h"

#define TFRT_BLOCK_KERNEL \
  __attribute__((launch_bounds(tfrt::gpu::device::kBlockThreads))) TFRT_KERNEL

// The same for kernels of many variables: each block may have a third of the registers. Without
// that the assembler saves so many that it spills.
#define TFRT_LARGE_BLOCK_KERNEL \
  __attribute__((launch_bounds(tfrt::gpu::device::kBlockThreads, 3))) TFRT_KERNEL

#endif  // TFRT_GPU_DEVICE_CODE_FIXED_BLOCKS_H_
