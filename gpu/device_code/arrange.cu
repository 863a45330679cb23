// Tensors that positions decide on.
//
//   one_hot_INDEX_WIDTH(out, indices, on_value, off_value, outer, depth, inner)
//     indices [outer,inner] -> out [outer,depth,inner]: *on_value at the position of the index,
//     *off_value elsewhere. INDEX is i32 or i64; an index outside of [0, depth) has no position.
//   triangle_WIDTH(out, in, matrices, rows, columns, diagonal, upper)
//     in [matrices,rows,columns]: the elements from column `row + diagonal` on with `upper` (i32),
//     those up to it without; 0 elsewhere. `out` may be `in`.
//   reverse_sequence_WIDTH(out, in, lengths, outer, first, middle, second, inner,
//                          batch_is_first)
//     in [outer,first,middle,second,inner]: the first lengths[b] elements along the time are in
//     reverse. `batch_is_first` (i32): b and the time are the first and the second dimension, or
//     the other way round. `lengths` are i64; those outside of [0, size] are taken for the nearest.
//   eye_WIDTH(out, one, rows, columns, diagonal)
//     the element `one` where the column is `row + diagonal`, 0 elsewhere.
//
// b8, b16, b32, b64: elements of so many bits. Other numbers are i64; |diagonal| is at most 2^62.
// `out` shares no other memory with what is read.

#include "dims.h"
#include "element.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "widths.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

template <typename Index>
TFRT_DEVICE void OneHot(Element* out, const Index* indices, const Element* on_value,
                        const Element* off_value, int64_t outer, int64_t depth, int64_t inner) {
  const Element on = *on_value, off = *off_value;
  ForEachPlace(Dims<3>{outer, depth, inner}, [&](int64_t i, const Dims<3>& place) {
    const int64_t index = indices[place.at[0] * inner + place.at[2]];
    out[i] = index == place.at[1] ? on : off;
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(one_hot_i32)(Element* out, const i32* indices, const Element* on_value,
                                          const Element* off_value, int64_t outer, int64_t depth,
                                          int64_t inner) {
  OneHot(out, indices, on_value, off_value, outer, depth, inner);
}
TFRT_BLOCK_KERNEL TFRT_ENTRY(one_hot_i64)(Element* out, const i64* indices, const Element* on_value,
                                          const Element* off_value, int64_t outer, int64_t depth,
                                          int64_t inner) {
  OneHot(out, indices, on_value, off_value, outer, depth, inner);
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(triangle)(Element* out, const Element* in, int64_t matrices,
                                       int64_t rows, int64_t columns, int64_t diagonal,
                                       int32_t upper) {
  ForEachPlace(Dims<3>{matrices, rows, columns}, [&](int64_t i, const Dims<3>& place) {
    const int64_t column = place.at[1] + diagonal;
    const bool is_kept = upper != 0 ? place.at[2] >= column : place.at[2] <= column;
    out[i] = is_kept ? in[i] : Element(0);
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(reverse_sequence)(Element* out, const Element* in,
                                               const int64_t* lengths, int64_t outer, int64_t first,
                                               int64_t middle, int64_t second, int64_t inner,
                                               int32_t batch_is_first) {
  ForEachPlace(Dims<5>{outer, first, middle, second, inner}, [&](int64_t i, const Dims<5>& place) {
    const bool is_first = batch_is_first != 0;
    const int64_t batch = is_first ? place.at[1] : place.at[3];
    const int64_t time = is_first ? place.at[3] : place.at[1];
    const int64_t size = is_first ? second : first;
    const int64_t step = is_first ? inner : middle * second * inner;
    const int64_t length = lengths[batch] < size ? lengths[batch] : size;
    out[i] = in[time < length ? i + (length - 1 - 2 * time) * step : i];
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(eye)(Element* out, Element one, int64_t rows, int64_t columns,
                                  int64_t diagonal) {
  ForEachPlace(Dims<2>{rows, columns}, [&](int64_t i, const Dims<2>& place) {
    out[i] = place.at[1] == place.at[0] + diagonal ? one : Element(0);
  });
}

}  // namespace tfrt::gpu::device
