// Tensors at other sizes, one dimension after the other.
//
//   resize_taps_TYPE(positions, weights, in_size, out_size, count, scale, is_scaled, begin, end,
//                    coordinates, is_cubic, coefficient, stretch, excludes, normalizes)
//     positions, weights [out_size,count]: the elements of a dimension of which those of the result
//     are made; -1 and 0 outside. `count` is even. Weights are spread over 1 / stretch elements.
//     With `excludes` those outside of the dimension are 0; with `normalizes` they are divided by
//     their sum.
//   resize_TYPE(out, in, positions, weights, outer, in_size, out_size, inner, count, outside)
//     in [outer,in_size,inner] -> out [outer,out_size,inner]: the weighted sums, or `outside`.
//
// resize_places.h explains scale (f64), is_scaled, begin, end (f32) and coordinates. Positions,
// sizes and `count` are i64, weights and `outside` are of TYPE, stretch is f64, the coefficient
// f32, and the others i32.

#include "device_math.h"
#include "dims.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "resize_places.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

namespace {

struct Tap {
  int64_t position;
  f64 weight;
};

// How a tap is weighted.
struct Weights {
  bool is_cubic;
  f64 coefficient, stretch;
  bool excludes;

  TFRT_DEVICE f64 Cubic(f64 x) const {
    const f64 a = coefficient;
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
  }
  // Tap i of `count` around a place.
  TFRT_DEVICE Tap At(const PlaceBetween& place, int64_t i, int64_t count, int64_t in_size) const {
    const int64_t offset = i + 1 - count / 2;
    int64_t position = place.left + offset;
    const f64 distance = Abs((static_cast<f64>(offset) - place.ratio) * stretch);
    f64 weight = is_cubic ? Cubic(distance) : distance < 1 ? 1 - distance : 0;
    if (excludes && (position < 0 || position >= in_size)) weight = 0;
    position = position < in_size ? position : in_size - 1;
    return {position < 0 ? 0 : position, weight};
  }
};

}  // namespace

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(resize_taps)(i64* positions, Element* weights, int64_t in_size,
                                                int64_t out_size, int64_t count, f64 scale,
                                                int32_t is_scaled, f32 begin, f32 end,
                                                int32_t coordinates, int32_t is_cubic,
                                                f32 coefficient, f64 stretch, int32_t excludes,
                                                int32_t normalizes) {
  const ResizedDim dim = {in_size, out_size, scale, is_scaled != 0, begin, end, coordinates};
  const Weights of_taps = {is_cubic != 0, coefficient, stretch, excludes != 0};
  ForEach(out_size, [=](int64_t x) {
    i64* position = positions + x * count;
    Element* weight = weights + x * count;
    const f64 place = dim.PlaceOf(x);
    if (dim.IsOutside(place)) {
      for (int64_t i = 0; i < count; ++i) position[i] = -1, weight[i] = 0;
      return;
    }
    const PlaceBetween between = dim.Between(place);
    f64 sum = 0;
    for (int64_t i = 0; normalizes != 0 && i < count; ++i) {
      sum += of_taps.At(between, i, count, in_size).weight;
    }
    for (int64_t i = 0; i < count; ++i) {
      const Tap tap = of_taps.At(between, i, count, in_size);
      position[i] = tap.position;
      weight[i] = static_cast<Element>(normalizes != 0 ? tap.weight / sum : tap.weight);
    }
  });
}

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(resize)(Element* out, const Element* in, const i64* positions,
                                           const Element* weights, int64_t outer, int64_t in_size,
                                           int64_t out_size, int64_t inner, int64_t count,
                                           Element outside) {
  ForEachPlaceAtOnce(Dims<3>{outer, out_size, inner}, [=](int64_t i, const Dims<3>& place) {
    const i64* position = positions + place.at[1] * count;
    const Element* weight = weights + place.at[1] * count;
    if (*position < 0) {
      out[i] = outside;
      return;
    }
    Element sum = 0;
    for (int64_t k = 0; k < count; ++k) {
      // A weight of 0 is none, whatever the element is.
      if (weight[k] == 0) continue;
      sum += weight[k] * in[(place.at[0] * in_size + position[k]) * inner + place.at[2]];
    }
    out[i] = sum;
  });
}

}  // namespace tfrt::gpu::device
