// Combines one value of each thread of a warp or a block, always in the same order.
#ifndef TFRT_GPU_DEVICE_CODE_BLOCK_COMBINE_H_
#define TFRT_GPU_DEVICE_CODE_BLOCK_COMBINE_H_

#include "grid.h"
#include "launch_sizes.h"
#include "reductions.h"

namespace tfrt::gpu::device {

// Kernels of rows run in blocks of kRowThreads threads; the build makes drivers ask for them.
#define TFRT_ROW_KERNEL __attribute__((launch_bounds(tfrt::gpu::device::kRowThreads))) TFRT_KERNEL

inline constexpr int kRowWarps = kRowThreads / kWarp;

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

// combine(...) of the values of all threads of the warp, for all of them. The function commutes: so
// both halves of a pair get the same bits.
template <typename T, typename F>
TFRT_DEVICE T CombineWarp(T value, F combine) {
#pragma unroll
  for (int mask = kWarp / 2; mask > 0; mask /= 2) value = combine(value, ShuffleXor(value, mask));
  return value;
}

// combine(...) of the values of all warps, of which each thread has its warp's, for all threads.
// All threads of a block of kRowThreads call it.
template <typename T, typename F>
TFRT_DEVICE T CombineWarps(T value, F combine) {
  // No initialisers are possible here, so that T has none.
  TFRT_SHARED static T values[kRowWarps];
  if (ThreadInBlock() % kWarp == 0) values[ThreadInBlock() / kWarp] = value;
  Barrier();
  value = values[0];
#pragma unroll
  for (int i = 1; i < kRowWarps; ++i) value = combine(value, values[i]);
  Barrier();  // before the next use of `values`
  return value;
}

// combine(...) of the values of all threads of a block of kRowThreads, for all of them.
template <typename T, typename F>
TFRT_DEVICE T CombineBlock(T value, F combine) {
  return CombineWarps(CombineWarp(value, combine), combine);
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_BLOCK_COMBINE_H_
