// Floats as integers of few bits, and back: x = (q - zero) * scale.
#ifndef TFRT_LIB_OPS_MATHS_CPU_QUANTIZE_H_
#define TFRT_LIB_OPS_MATHS_CPU_QUANTIZE_H_

#include <cstdint>

#include "tfrt/opinfo/element_type.h"

namespace tfrt::cpu {

// Returns x / scale as a whole number from low to high, of two nearest ones the even one; 0 for
// NaN. Both limits are whole and at most 2^21: so large a number plus kRound has no fraction.
// Clamping before rounding is the same as after it, and all vectors have these operations.
[[gnu::always_inline]] inline float WholeQuotient(float x, float scale, float low, float high) {
  constexpr float kRound = 12582912.0f;
  float y = x / scale;
  y = y == y ? y : 0.0f;
  y = y < low ? low : y;
  y = y > high ? high : y;
  return (y + kRound) - kRound;
}

// A tensor [outer,size,inner] and its scales: one, one for each of `size` places, or, if `block` is
// not 0, [outer,ceil(size/block),inner]. Zeros, if there are any, lie as the scales do.
struct ScaleLayout {
  int64_t size = 1;
  int64_t inner = 1;
  int64_t block = 0;
  bool one_scale = true;

  // Returns the index for the element at `place` of row `outer` with the inner index 0. The
  // elements after it use the same index, or, with blocks, the indices after that.
  int64_t IndexOf(int64_t outer, int64_t place) const {
    if (one_scale) return 0;
    return block == 0 ? place : (outer * ((size - 1) / block + 1) + place / block) * inner;
  }
};

// Rows [begin, end) of outer * size.
using QuantizeFunction = void (*)(const ScaleLayout& layout, const void* in, const void* scales,
                                  const void* zeros, void* out, int64_t begin, int64_t end);

// out = in / scale, of two nearest whole numbers the even one, plus zero, the nearest that there
// is; of NaN the zero. Floats f32, f16, bf16, which the scales are, too; integers i8, i16, ui8,
// ui16; null for others. zeros: null, or of the integer's dtype.
QuantizeFunction FindQuantize(DType from, DType to);
// out = (in - zero) * scale. Also of i32.
QuantizeFunction FindDequantize(DType from, DType to);

struct Quantization {
  float scale;
  uint8_t zero;
};
struct FloatRange {
  float low = 0, high = 0;
};
// Returns the range of `range` and these elements, of which NaN has no effect.
FloatRange RangeOf(const float* in, int64_t size, FloatRange range = {});
// Returns the quantisation to u8 for the range, which has 0: the scale is its size over 255, or 1
// if that is 0.
Quantization FitQuantization(const FloatRange& range);

}  // namespace tfrt::cpu

#endif  // TFRT_LIB_OPS_MATHS_CPU_QUANTIZE_H_
