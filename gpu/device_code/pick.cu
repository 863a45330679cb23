// Elements at positions of one dimension.
//
//   pick_WIDTH(out, in, positions, outer, in_size, out_size, inner, outside)
//     in [outer,in_size,inner] -> out [outer,out_size,inner]: the elements at positions [out_size]
//     of i64, or `outside` where a position is below 0.
//
// b8, b16, b32, b64: elements of so many bits. Sizes are i64.

#include "dims.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "widths.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

TFRT_BLOCK_KERNEL TFRT_ENTRY(pick)(Element* out, const Element* in, const int64_t* positions,
                                   int64_t outer, int64_t in_size, int64_t out_size, int64_t inner,
                                   Element outside) {
  ForEachPlace(Dims<3>{outer, out_size, inner}, [=](int64_t i, const Dims<3>& place) {
    const int64_t at = positions[place.at[1]];
    out[i] = at < 0 ? outside : in[(place.at[0] * in_size + at) * inner + place.at[2]];
  });
}

}  // namespace tfrt::gpu::device
