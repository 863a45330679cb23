// The scale and the zero point with which u8 hold all elements of a tensor of f32, and 0.
//
//   quantization_limits(parts, in, size, num_parts)
//     parts [num_parts,2]: the smallest and the largest element of each part of in [size], and 0.
//     NaN has no effect.
//   quantization_of_limits(scale, zero, parts, num_parts)
//     The scale, an f32, is the range over 255, or 1 if that is 0. The zero point, a u8, stands for
//     0. One block.

#include "block_combine.h"
#include "device_math.h"
#include "element_ops.h"
#include "fixed_blocks.h"
#include "packs.h"

namespace tfrt::gpu::device {
namespace {

struct Limits {
  f32 low, high;
};

TFRT_DEVICE Limits Extend(Limits limits, f32 x) {
  return {x < limits.low ? x : limits.low, x > limits.high ? x : limits.high};
}
TFRT_DEVICE Limits Join(Limits a, Limits b) {
  return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

}  // namespace

TFRT_BLOCK_KERNEL quantization_limits(Limits* parts, const f32* in, int64_t size,
                                      int64_t num_parts) {
  constexpr int kCount = 4;
  const int64_t packs = IsAligned(in, sizeof(f32) * kCount) ? size / kCount : 0;
  for (int64_t part = Block(); part < num_parts; part += NumBlocks()) {
    const int64_t first = part * kBlockThreads + ThreadInBlock(), step = num_parts * kBlockThreads;
    Limits limits = {0, 0};
    for (int64_t i = first; i < packs; i += step) {
      const Pack<f32, kCount> some = LoadPack<kCount>(in, i);
#pragma unroll
      for (int k = 0; k < kCount; ++k) limits = Extend(limits, some.at[k]);
    }
    for (int64_t i = packs * kCount + first; i < size; i += step) limits = Extend(limits, in[i]);
    limits = CombineBlock(limits, [](Limits a, Limits b) { return Join(a, b); });
    if (ThreadInBlock() == 0) parts[part] = limits;
  }
}

TFRT_BLOCK_KERNEL quantization_of_limits(f32* scale, u8* zero, const Limits* parts,
                                         int64_t num_parts) {
  Limits limits = {0, 0};
  for (int64_t i = ThreadInBlock(); i < num_parts; i += kBlockThreads) {
    limits = Join(limits, parts[i]);
  }
  limits = CombineBlock(limits, [](Limits a, Limits b) { return Join(a, b); });
  if (Block() != 0 || ThreadInBlock() != 0) return;
  const f32 step = limits.low == limits.high ? 1 : (limits.high - limits.low) / 255;
  f32 middle = Round(-limits.low / step);
  middle = middle > 0 ? middle : 0;
  *scale = step;
  *zero = static_cast<u8>(middle < 255 ? middle : 255);
}

}  // namespace tfrt::gpu::device
