// The positions of a dimension that are nearest to those of another size.
//
//   resize_nearest(positions, in_size, out_size, scale, is_scaled, begin, end, coordinates,
//                  rounding)
//     positions [out_size] of i64; -1 outside. `rounding` (i32): 0 to the nearest, of two the lower
//     one; 1, of two the higher one; 2 down; 3 up. resize_places.h explains the others.

#include "fixed_blocks.h"
#include "resize_places.h"

namespace tfrt::gpu::device {

TFRT_BLOCK_KERNEL resize_nearest(i64* positions, int64_t in_size, int64_t out_size, f64 scale,
                                 int32_t is_scaled, f32 begin, f32 end, int32_t coordinates,
                                 int32_t rounding) {
  const ResizedDim dim = {in_size, out_size, scale, is_scaled != 0, begin, end, coordinates};
  ForEach(out_size, [=](int64_t x) {
    const f64 place = dim.PlaceOf(x);
    if (dim.IsOutside(place)) {
      positions[x] = -1;
      return;
    }
    const auto [left, ratio] = dim.Between(place);
    const bool is_right = ratio == 1 || (rounding == 0 && ratio > 0.5) ||
                          (rounding == 1 && ratio >= 0.5) || rounding == 3;
    int64_t at = left + (is_right ? 1 : 0);
    at = at < in_size ? at : in_size - 1;
    positions[x] = at < 0 ? 0 : at;
  });
}

}  // namespace tfrt::gpu::device
