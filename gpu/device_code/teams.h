// Rows, each of which a warp or a block computes: which of them the length of rows decides. So the
// order of sums depends on sizes alone.
#ifndef TFRT_GPU_DEVICE_CODE_TEAMS_H_
#define TFRT_GPU_DEVICE_CODE_TEAMS_H_

#include "block_combine.h"
#include "fixed_blocks.h"

namespace tfrt::gpu::device {

// The threads that compute a row, as one of them sees it.
template <bool is_warp>
struct Team {
  static constexpr uint32_t kThreads = is_warp ? kWarp : kBlockThreads;

  TFRT_DEVICE static uint32_t thread() { return ThreadInBlock() % kThreads; }
  // combine(...) of the values of all threads, for all of them.
  template <typename T, typename F>
  TFRT_DEVICE static T Combined(T value, F combine) {
    if constexpr (is_warp) {
#pragma unroll
      for (int mask = kWarp / 2; mask > 0; mask /= 2) {
        value = combine(value, ShuffleXor(value, mask));
      }
      return value;
    } else {
      return CombineBlock(value, combine);
    }
  }
  TFRT_DEVICE static f64 Sum(f64 value) {
    return Combined(value, [](f64 a, f64 b) { return a + b; });
  }
  // Calls fn(i) for this thread's part of `size` elements.
  template <typename F>
  TFRT_DEVICE static void ForEach(int64_t size, F fn) {
    for (int64_t i = thread(); i < size; i += kThreads) fn(i);
  }
  // The sum of value(i) over all elements.
  template <typename F>
  TFRT_DEVICE static f64 SumOf(int64_t size, F value) {
    f64 sum = 0;
    ForEach(size, [&](int64_t i) { sum += static_cast<f64>(value(i)); });
    return Sum(sum);
  }
};

// Calls fn(row, team) for all rows.
template <typename F>
TFRT_DEVICE void ForEachRow(int64_t rows, int64_t columns, F fn) {
  if (columns <= kWarpRow) {
    constexpr int64_t kWarps = kBlockThreads / kWarp;
    for (int64_t row = Block() * kWarps + ThreadInBlock() / kWarp; row < rows;
         row += NumBlocks() * kWarps) {
      fn(row, Team<true>());
    }
  } else {
    for (int64_t row = Block(); row < rows; row += NumBlocks()) fn(row, Team<false>());
  }
}

}  // namespace tfrt::gpu::device

#endif  // TFRT_GPU_DEVICE_CODE_TEAMS_H_
