#include "quantize.h"

#include <cmath>
#include <limits>
#include <type_traits>

#include "isa_clones.h"
#include "tfrt/support/half.h"

namespace tfrt::cpu {
namespace {

// The range is at most that of 16 bits, which float holds exactly.
template <typename Q>
[[gnu::always_inline]] inline Q Quantized(float x, float scale, float zero) {
  using Limits = std::numeric_limits<Q>;
  float y = std::nearbyint(x / scale) + zero;
  y = y == y ? y : zero;
  y = y < static_cast<float>(Limits::min()) ? static_cast<float>(Limits::min()) : y;
  y = y > static_cast<float>(Limits::max()) ? static_cast<float>(Limits::max()) : y;
  return static_cast<Q>(static_cast<int32_t>(y));
}

template <typename F, typename Q>
[[gnu::always_inline]] inline void QuantizeRows(const ScaleLayout& layout, const F* in,
                                                const F* scales, const Q* zeros, Q* out,
                                                int64_t begin, int64_t end) {
  const int64_t step = layout.block != 0 && !layout.one_scale ? 1 : 0;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t at = layout.IndexOf(row / layout.size, row % layout.size);
    const F *x = in + row * layout.inner, *scale = scales + at;
    const Q* zero = zeros ? zeros + at : nullptr;
    Q* y = out + row * layout.inner;
    if (step == 0) {
      const auto s = static_cast<float>(*scale);
      const float z = zero ? static_cast<float>(*zero) : 0.0f;
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < layout.inner; ++i) {
        y[i] = Quantized<Q>(static_cast<float>(x[i]), s, z);
      }
      continue;
    }
    for (int64_t i = 0; i < layout.inner; ++i) {
      y[i] = Quantized<Q>(static_cast<float>(x[i]), static_cast<float>(scale[i]),
                          zero ? static_cast<float>(zero[i]) : 0.0f);
    }
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
  const int64_t step = layout.block != 0 && !layout.one_scale ? 1 : 0;
  for (int64_t row = begin; row < end; ++row) {
    const int64_t at = layout.IndexOf(row / layout.size, row % layout.size);
    const Q* x = in + row * layout.inner;
    F* y = out + row * layout.inner;
    if (step == 0) {
      const auto s = static_cast<float>(scales[at]);
      const Q z = zeros ? zeros[at] : Q(0);
      TFRT_INDEPENDENT_ITERATIONS
      for (int64_t i = 0; i < layout.inner; ++i) y[i] = F(Dequantized(x[i], z, s));
      continue;
    }
    for (int64_t i = 0; i < layout.inner; ++i) {
      y[i] = F(Dequantized(x[i], zeros ? zeros[at + i] : Q(0), static_cast<float>(scales[at + i])));
    }
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
Quantization FitQuantization(const float* in, int64_t size) {
  // NaN has no effect: the loops below keep the values that they have.
  float low = 0, high = 0;
  for (int64_t i = 0; i < size; ++i) low = in[i] < low ? in[i] : low;
  for (int64_t i = 0; i < size; ++i) high = in[i] > high ? in[i] : high;
  const float scale = low == high ? 1.0f : (high - low) / 255.0f;
  float zero = std::nearbyint(-low / scale);
  zero = zero > 0.0f ? zero : 0.0f;
  return {scale, static_cast<uint8_t>(zero < 255.0f ? zero : 255.0f)};
}

}  // namespace tfrt::cpu
