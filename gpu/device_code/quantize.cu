// Floats as integers of few bits, and back: in = (out - zero) * scale.
//
//   quantize_TYPE_INTEGER(out, in, scales, zeros, outer, size, inner, block)
//     out = in / scale, of two nearest whole numbers the even one, plus zero, the nearest that
//     there is; of NaN the zero. The integers are i8, u8, i16, u16.
//   dequantize_TYPE_INTEGER(out, in, scales, zeros, outer, size, inner, block)
//     out = (in - zero) * scale. Also of i32.
//
// in and out [outer,size,inner]. The scales, of TYPE, are [size] or, if `block` is not 0,
// [outer,ceil(size/block),inner]. The zeros, integers as many as the scales, may be null: 0. All is
// computed in f32.

#include "device_math.h"
#include "dims.h"
#include "element_ops.h"
#include "fixed_blocks.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "packs.h"

namespace tfrt::gpu::device {
namespace {

using Element = TFRT_TYPE;
using i8 = int8_t;
using i16 = int16_t;
using u16 = uint16_t;

template <typename Q>
struct Quantize {
  Element scale;
  Q zero;

  TFRT_DEVICE Q operator()(Element element) const {
    constexpr int32_t kBits = 8 * sizeof(Q);
    constexpr bool kIsSigned = Q(-1) < Q(0);
    constexpr f32 kLeast = kIsSigned ? -(1 << (kBits - 1)) : 0;
    constexpr f32 kMost = kIsSigned ? (1 << (kBits - 1)) - 1 : (1 << kBits) - 1;
    const auto offset = static_cast<f32>(zero);
    f32 value = Round(Decode(element) / Decode(scale)) + offset;
    value = value == value ? value : offset;
    value = value < kLeast ? kLeast : value;
    value = value > kMost ? kMost : value;
    return static_cast<Q>(static_cast<int32_t>(value));
  }
};

template <typename Q>
struct Dequantize {
  Element scale;
  Q zero;

  TFRT_DEVICE Element operator()(Q number) const {
    // The difference of two i32 may need more bits.
    using Wide = typename WhereElse<sizeof(Q) == 4, i64, i32>::Type;
    const Wide difference = static_cast<Wide>(number) - static_cast<Wide>(zero);
    return Encode<Element>(static_cast<f32>(difference) * Decode(scale));
  }
};

// Calls Function{scale, zero}(in[i]) for all elements.
template <typename Function, typename Q, typename R, typename T>
TFRT_DEVICE void MapScaled(R* out, const T* in, const Element* scales, const Q* zeros,
                           int64_t outer, int64_t size, int64_t inner, int64_t block) {
  if (size == 1 && block == 0) {
    MapElements(outer * inner, Function{*scales, zeros == nullptr ? Q(0) : *zeros}, out, in);
    return;
  }
  const int64_t blocks = block == 0 ? 0 : CeilDiv(size, block);
  ForEachPlaceAtOnce(Dims<3>{outer, size, inner}, [=](int64_t i, const Dims<3>& place) {
    const int64_t at =
        block == 0 ? place.at[1]
                   : (place.at[0] * blocks + Divide(place.at[1], block)) * inner + place.at[2];
    out[i] = Function{scales[at], zeros == nullptr ? Q(0) : zeros[at]}(in[i]);
  });
}

}  // namespace

#define TFRT_QUANTIZE(Q)                                                                \
  TFRT_BLOCK_KERNEL TFRT_JOIN(TFRT_ENTRY(quantize), _##Q)(                              \
      Q * out, const Element* in, const Element* scales, const Q* zeros, int64_t outer, \
      int64_t size, int64_t inner, int64_t block) {                                     \
    MapScaled<Quantize<Q>>(out, in, scales, zeros, outer, size, inner, block);          \
  }
#define TFRT_DEQUANTIZE(Q)                                                              \
  TFRT_BLOCK_KERNEL TFRT_JOIN(TFRT_ENTRY(dequantize), _##Q)(                            \
      Element * out, const Q* in, const Element* scales, const Q* zeros, int64_t outer, \
      int64_t size, int64_t inner, int64_t block) {                                     \
    MapScaled<Dequantize<Q>>(out, in, scales, zeros, outer, size, inner, block);        \
  }
#define TFRT_BOTH(Q) TFRT_QUANTIZE(Q) TFRT_DEQUANTIZE(Q)

TFRT_BOTH(i8)
TFRT_BOTH(u8)
TFRT_BOTH(i16)
TFRT_BOTH(u16)
TFRT_DEQUANTIZE(i32)

}  // namespace tfrt::gpu::device
