#include "quantize.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "isa_clones.h"
#include "row_sums.h"
#include "tfrt/support/half.h"

namespace tfrt::cpu {
namespace {

template <typename Q>
[[gnu::always_inline]] inline Q Quantized(float x, float scale, int32_t zero) {
  using Limits = std::numeric_limits<Q>;
  const auto low = static_cast<float>(int32_t{Limits::min()} - zero);
  const auto high = static_cast<float>(int32_t{Limits::max()} - zero);
  return static_cast<Q>(static_cast<int32_t>(WholeQuotient(x, scale, low, high)) + zero);
}

// Where rows of elements have a scale for each element, and how many rows follow one another so.
// Returns 0 where all elements of a row share their scale.
inline int64_t ElementsWithScales(const ScaleLayout& layout) {
  if (layout.one_scale) return 0;
  if (layout.block != 0) return layout.inner;
  return layout.inner == 1 ? layout.size : 0;
}

// Calls each(row_of_elements, count, first_scale) for the parts of rows [begin, end) that have a
// scale for each element.
template <typename Each>
[[gnu::always_inline]] inline void ForPartsWithScales(const ScaleLayout& layout, int64_t begin,
                                                      int64_t end, Each each) {
  if (layout.block != 0) {
    for (int64_t row = begin; row < end; ++row) {
      each(row * layout.inner, layout.inner, layout.IndexOf(row / layout.size, row % layout.size));
    }
    return;
  }
  // The axis is the last one: rows have one element, and `size` of them lie beside each other.
  for (int64_t row = begin; row < end;) {
    const int64_t place = row % layout.size, count = std::min(layout.size - place, end - row);
    each(row, count, place);
    row += count;
  }
}

template <typename F, typename Q>
[[gnu::always_inline]] inline void QuantizeRows(const ScaleLayout& layout, const F* in,
                                                const F* scales, const Q* zeros, Q* out,
                                                int64_t begin, int64_t end) {
  if (ElementsWithScales(layout) != 0) {
    ForPartsWithScales(
        layout, begin, end,
        [=](int64_t first, int64_t count, int64_t at) __attribute__((always_inline)) {
          const F *x = in + first, *scale = scales + at;
          Q* y = out + first;
          if (!zeros) {
            TFRT_INDEPENDENT_ITERATIONS
            for (int64_t i = 0; i < count; ++i) {
              y[i] = Quantized<Q>(static_cast<float>(x[i]), static_cast<float>(scale[i]), 0);
            }
            return;
          }
          const Q* zero = zeros + at;
          TFRT_INDEPENDENT_ITERATIONS
          for (int64_t i = 0; i < count; ++i) {
            y[i] = Quantized<Q>(static_cast<float>(x[i]), static_cast<float>(scale[i]), zero[i]);
          }
        });
    return;
  }
  // Bytes may be anything's: what the loop reads is in variables.
  const int64_t inner = layout.inner;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t at = layout.IndexOf(row / layout.size, row % layout.size);
    const F* x = in + row * inner;
    Q* y = out + row * inner;
    const auto s = static_cast<float>(scales[at]);
    const int32_t z = zeros ? zeros[at] : 0;
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < inner; ++i) y[i] = Quantized<Q>(static_cast<float>(x[i]), s, z);
  }
}

template <typename Q>
[[gnu::always_inline]] inline float Dequantized(Q q, Q zero, float scale) {
  // The difference of two i32 may need more bits.
  using Wide = std::conditional_t<(sizeof(Q) < 4), int32_t, int64_t>;
  return static_cast<float>(static_cast<Wide>(q) - static_cast<Wide>(zero)) * scale;
}

template <typename Q, typename F>
[[gnu::always_inline]] inline void DequantizeRows(const ScaleLayout& layout, const Q* in,
                                                  const F* scales, const Q* zeros, F* out,
                                                  int64_t begin, int64_t end) {
  if (ElementsWithScales(layout) != 0) {
    ForPartsWithScales(layout, begin, end,
                       [=](int64_t first, int64_t count, int64_t at)
                           __attribute__((always_inline)) {
                             const Q *x = in + first, *zero = zeros + (zeros ? at : 0);
                             const F* scale = scales + at;
                             F* y = out + first;
                             if (!zeros) {
                               TFRT_INDEPENDENT_ITERATIONS
                               for (int64_t i = 0; i < count; ++i) {
                                 y[i] = F(Dequantized(x[i], Q(0), static_cast<float>(scale[i])));
                               }
                               return;
                             }
                             TFRT_INDEPENDENT_ITERATIONS
                             for (int64_t i = 0; i < count; ++i) {
                               y[i] = F(Dequantized(x[i], zero[i], static_cast<float>(scale[i])));
                             }
                           });
    return;
  }
  const int64_t inner = layout.inner;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t at = layout.IndexOf(row / layout.size, row % layout.size);
    const Q* x = in + row * inner;
    F* y = out + row * inner;
    const auto s = static_cast<float>(scales[at]);
    const Q z = zeros ? zeros[at] : Q(0);
    TFRT_INDEPENDENT_ITERATIONS
    for (int64_t i = 0; i < inner; ++i) y[i] = F(Dequantized(x[i], z, s));
  }
}

#define TFRT_PARAMETERS                                                                        \
  const ScaleLayout &layout, const void *in, const void *scales, const void *zeros, void *out, \
      int64_t begin, int64_t end
#define TFRT_QUANTIZE(F, Q)                                                      \
  QuantizeRows(layout, static_cast<const F*>(in), static_cast<const F*>(scales), \
               static_cast<const Q*>(zeros), static_cast<Q*>(out), begin, end)
#define TFRT_DEQUANTIZE(Q, F)                                                      \
  DequantizeRows(layout, static_cast<const Q*>(in), static_cast<const F*>(scales), \
                 static_cast<const Q*>(zeros), static_cast<F*>(out), begin, end)

// These types are common in models, and use the CPU's vectors.
TFRT_ISA_CLONES
void QuantizeFloatsU8(TFRT_PARAMETERS) { TFRT_QUANTIZE(float, uint8_t); }
TFRT_ISA_CLONES
void QuantizeFloatsI8(TFRT_PARAMETERS) { TFRT_QUANTIZE(float, int8_t); }
TFRT_ISA_CLONES
void DequantizeFloatsU8(TFRT_PARAMETERS) { TFRT_DEQUANTIZE(uint8_t, float); }
TFRT_ISA_CLONES
void DequantizeFloatsI8(TFRT_PARAMETERS) { TFRT_DEQUANTIZE(int8_t, float); }

template <typename F, typename Q>
void QuantizeAny(TFRT_PARAMETERS) {
  TFRT_QUANTIZE(F, Q);
}
template <typename Q, typename F>
void DequantizeAny(TFRT_PARAMETERS) {
  TFRT_DEQUANTIZE(Q, F);
}

template <typename F>
QuantizeFunction QuantizeOf(DType to) {
  switch (to) {
    case DType::kUI8:
      return std::is_same_v<F, float> ? QuantizeFloatsU8 : QuantizeAny<F, uint8_t>;
    case DType::kI8:
      return std::is_same_v<F, float> ? QuantizeFloatsI8 : QuantizeAny<F, int8_t>;
    case DType::kUI16:
      return QuantizeAny<F, uint16_t>;
    case DType::kI16:
      return QuantizeAny<F, int16_t>;
    default:
      return nullptr;
  }
}

template <typename F>
QuantizeFunction DequantizeOf(DType from) {
  switch (from) {
    case DType::kUI8:
      return std::is_same_v<F, float> ? DequantizeFloatsU8 : DequantizeAny<uint8_t, F>;
    case DType::kI8:
      return std::is_same_v<F, float> ? DequantizeFloatsI8 : DequantizeAny<int8_t, F>;
    case DType::kUI16:
      return DequantizeAny<uint16_t, F>;
    case DType::kI16:
      return DequantizeAny<int16_t, F>;
    case DType::kI32:
      return DequantizeAny<int32_t, F>;
    default:
      return nullptr;
  }
}

// find<F>() of the float type with this dtype.
template <typename Find>
QuantizeFunction OfFloat(DType dtype, Find find) {
  switch (dtype) {
    case DType::kF32:
      return find.template operator()<float>();
    case DType::kF16:
      return find.template operator()<Fp16>();
    case DType::kBF16:
      return find.template operator()<Bf16>();
    default:
      return nullptr;
  }
}

}  // namespace

QuantizeFunction FindQuantize(DType from, DType to) {
  return OfFloat(from, [to]<typename F> { return QuantizeOf<F>(to); });
}

QuantizeFunction FindDequantize(DType from, DType to) {
  return OfFloat(to, [from]<typename F> { return DequantizeOf<F>(from); });
}

TFRT_ISA_CLONES
FloatRange RangeOf(const float* in, int64_t size, FloatRange range) {
  // NaN has no effect: comparisons keep what they have.
  RowLanes low[2], high[2];
  for (int64_t half = 0; half < 2; ++half) {
    low[half] = RowLanes{} + range.low;
    high[half] = RowLanes{} + range.high;
  }
  int64_t i = 0;
  for (; i + 2 * kRowLanes <= size; i += 2 * kRowLanes) {
    for (int64_t half = 0; half < 2; ++half) {
      const RowLanes x = *reinterpret_cast<const RowLanes*>(in + i + half * kRowLanes);
      low[half] = x < low[half] ? x : low[half];
      high[half] = x > high[half] ? x : high[half];
    }
  }
  for (int64_t half = 0; half < 2; ++half) {
    for (int64_t lane = 0; lane < kRowLanes; ++lane) {
      range.low = std::min(range.low, low[half][lane]);
      range.high = std::max(range.high, high[half][lane]);
    }
  }
  for (; i < size; ++i) {
    range.low = in[i] < range.low ? in[i] : range.low;
    range.high = in[i] > range.high ? in[i] : range.high;
  }
  return range;
}

Quantization FitQuantization(const FloatRange& range) {
  const float scale = range.low == range.high ? 1.0f : (range.high - range.low) / 255.0f;
  return {scale, static_cast<uint8_t>(WholeQuotient(-range.low, scale, 0.0f, 255.0f))};
}

}  // namespace tfrt::cpu
