// Elements and slices that indices name. An index below 0 counts from the end; one outside gives
// zeros. INDEX is i32 or i64.
//
//   gather_INDEX_WIDTH(out, in, indices, batch, outer, size, count, inner)
//     in [batch,outer,size,inner], indices [batch,count] -> out [batch,outer,count,inner]
//   gather_nd_INDEX_WIDTH(out, in, indices, rows, depth, slice, size1, ..., size8)
//     in [size1,...,size_depth,slice], indices [rows,depth] -> out [rows,slice]; depth <= 8
//   gather_elements_INDEX_WIDTH(out, in, indices, size1, ..., size8, step1, ..., step8,
//                               axis_size, axis_step)
//     indices, out [size1,...,size8], dense: for each index the element that is index * axis_step
//     and place * step elements away; the step along the axis is 0.
//
// b8, b16, b32, b64, b128: units of so many bits, to which `out` and `in` are aligned. Other
// numbers are i64, in units. `out` shares no memory with what is read.

#include "dims.h"
#include "fixed_blocks.h"
#include "indices.h"
#include "ops_by_type.h"
#include "widths.h"

namespace tfrt::gpu::device {

using Unit = TFRT_TYPE;

template <typename Index>
TFRT_DEVICE void Gather(Unit* out, const Unit* in, const Index* indices, int64_t batch,
                        int64_t outer, int64_t size, int64_t count, int64_t inner) {
  ForEachPlace(Dims<4>{batch, outer, count, inner}, [&](int64_t i, const Dims<4>& place) {
    const int64_t index = PositionOf(indices[place.at[0] * count + place.at[2]], size);
    const int64_t row = (place.at[0] * outer + place.at[1]) * size + index;
    out[i] = index >= 0 ? in[row * inner + place.at[3]] : Unit{};
  });
}

template <typename Index>
TFRT_DEVICE void GatherNd(Unit* out, const Unit* in, const Index* indices, int64_t rows,
                          int64_t depth, int64_t slice, const Dims<8>& sizes) {
  ForEachPlace(Dims<2>{rows, slice}, [&](int64_t i, const Dims<2>& place) {
    const int64_t from = SliceOf(indices + place.at[0] * depth, depth, sizes);
    out[i] = from >= 0 ? in[from * slice + place.at[1]] : Unit{};
  });
}

template <typename Index>
TFRT_DEVICE void GatherElements(Unit* out, const Unit* in, const Index* indices,
                                const Dims<8>& sizes, const Dims<8>& steps, int64_t axis_size,
                                int64_t axis_step) {
  ForEachPlace(sizes, [&](int64_t i, const Dims<8>& place) {
    const int64_t index = PositionOf(indices[i], axis_size);
    out[i] = index >= 0 ? in[place.OffsetWith(steps) + index * axis_step] : Unit{};
  });
}

#define TFRT_GATHER_KERNELS(index)                                                               \
  TFRT_BLOCK_KERNEL TFRT_ENTRY(gather_##index)(Unit * out, const Unit* in, const index* indices, \
                                               int64_t batch, int64_t outer, int64_t size,       \
                                               int64_t count, int64_t inner) {                   \
    Gather(out, in, indices, batch, outer, size, count, inner);                                  \
  }                                                                                              \
  TFRT_BLOCK_KERNEL TFRT_ENTRY(gather_nd_##index)(                                               \
      Unit * out, const Unit* in, const index* indices, int64_t rows, int64_t depth,             \
      int64_t slice, TFRT_EIGHT(size)) {                                                         \
    GatherNd(out, in, indices, rows, depth, slice, TFRT_EIGHT_OF(size));                         \
  }                                                                                              \
  TFRT_BLOCK_KERNEL TFRT_ENTRY(gather_elements_##index)(                                         \
      Unit * out, const Unit* in, const index* indices, TFRT_EIGHT(size), TFRT_EIGHT(step),      \
      int64_t axis_size, int64_t axis_step) {                                                    \
    GatherElements(out, in, indices, TFRT_EIGHT_OF(size), TFRT_EIGHT_OF(step), axis_size,        \
                   axis_step);                                                                   \
  }
TFRT_GATHER_KERNELS(i32)
TFRT_GATHER_KERNELS(i64)

}  // namespace tfrt::gpu::device
