// Threads, blocks and barriers: what kernels say to the machine.
#ifndef TFRT_GPU_DEVICE_CODE_GRID_H_
#define TFRT_GPU_DEVICE_CODE_GRID_H_

#include "element.h"

#define TFRT_KERNEL extern "C" __attribute__((global)) void
// All of it becomes part of the kernels: arrays stay in registers only so.
#define TFRT_DEVICE __attribute__((device, always_inline)) inline
#define TFRT_SHARED __attribute__((shared))

namespace tfrt::gpu::device {

TFRT_DEVICE uint32_t ThreadInBlock() { return __nvvm_read_ptx_sreg_tid_x(); }
TFRT_DEVICE uint32_t ThreadsPerBlock() { return __nvvm_read_ptx_sreg_ntid_x(); }
TFRT_DEVICE uint32_t Block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
TFRT_DEVICE uint32_t NumBlocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }

// Waits for all threads of the block; what they wrote to shared memory is there.
TFRT_DEVICE void Barrier() { __syncthreads(); }

// Calls fn(i) for i from 0 to size - 1, each in one thread of the grid, whatever its size.
template <typename F>
TFRT_DEVICE void ForEach(int64_t size, F fn) {
  const int64_t step = int64_t{NumBlocks()} * ThreadsPerBlock();
  for (int64_t i = int64_t{Block()} * ThreadsPerBlock() + ThreadInBlock(); i < size; i += step) {
    fn(i);
  }
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_GRID_H_
