// Combines one value of each thread of a block. The order depends on the number of threads alone,
// so each run gives the same bits.
#ifndef TFRT_GPU_DEVICE_CODE_BLOCK_COMBINE_H_
#define TFRT_GPU_DEVICE_CODE_BLOCK_COMBINE_H_

#include "grid.h"
#include "launch_sizes.h"
#include "reductions.h"

namespace tfrt::gpu::device {

// Kernels of rows run in blocks of whole warps, side by side. In other blocks, threads would wait
// for missing ones, or results would be wrong. Such blocks therefore end with an error, after which
// the device is lost.
TFRT_DEVICE void RequireWholeWarps() {
  const uint32_t others = __nvvm_read_ptx_sreg_ntid_y() * __nvvm_read_ptx_sreg_ntid_z();
  if (ThreadsPerBlock() % kWarp != 0 || others != 1) __builtin_trap();
}

// The value that the thread of this warp has whose number differs in the bits of `mask`.
template <typename T>
TFRT_DEVICE T ShuffleXor(T value, int mask) {
  static_assert(sizeof(T) % sizeof(int) == 0);
  struct Words {
    int at[sizeof(T) / sizeof(int)];
  };
  Words words = BitCast<Words>(value);
#pragma unroll
  for (int& word : words.at) {
    word = __nvvm_shfl_sync_bfly_i32(0xFFFFFFFF, word, mask, kWarp - 1);
  }
  return BitCast<T>(words);
}

template <typename V>
TFRT_DEVICE Indexed<V> ShuffleXor(Indexed<V> place, int mask) {
  return {ShuffleXor(place.value, mask), ShuffleXor(place.index, mask)};
}

// combine(...) of the values of all threads, for all of them. All threads of the block call it, and
// they are whole warps, at most kMostRowThreads. The function commutes: so both halves of a pair
// get the same bits.
template <typename T, typename F>
TFRT_DEVICE T CombineBlock(T value, F combine) {
#pragma unroll
  for (int mask = kWarp / 2; mask > 0; mask /= 2) value = combine(value, ShuffleXor(value, mask));
  const uint32_t warps = ThreadsPerBlock() / kWarp;
  if (warps == 1) return value;
  // No initialisers are possible here, so that T has none.
  TFRT_SHARED static T values[kMostRowThreads / kWarp];
  if (ThreadInBlock() % kWarp == 0) values[ThreadInBlock() / kWarp] = value;
  Barrier();
  value = values[0];
  for (uint32_t i = 1; i < warps; ++i) value = combine(value, values[i]);
  Barrier();  // before the next use of `values`
  return value;
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_BLOCK_COMBINE_H_
