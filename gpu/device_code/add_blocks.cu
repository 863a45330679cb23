// Blocks of images put back where they were taken from, and added.
//
//   add_blocks_TYPE(out, in, rows, image_z, image_y, image_x, block_z, ..., count_z, ...,
//                   stride_z, ..., dilation_z, ..., before_z, ...)
//     in [rows,block_z,block_y,block_x,count_z,count_y,count_x] ->
//     out [rows,image_z,image_y,image_x]. Element k of block o lies at o * stride - before +
//     k * dilation.
//
// `rows` is i64, the others are i32. Sums are in the order of the block's elements, rounded each
// time.

#include "dims.h"
#include "element_ops.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "windows.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

namespace {

// The block of which element k lies at `position`, along one dimension; -1: none.
TFRT_DEVICE int32_t BlockAt(int32_t position, int32_t k, int32_t count, int32_t stride,
                            int32_t dilation, int32_t before) {
  const int64_t distance = int64_t{position} + before - int64_t{k} * dilation;
  if (distance < 0 || distance > INT32_MAX) return -1;
  const auto narrow = static_cast<uint32_t>(distance);
  const uint32_t block = narrow / static_cast<uint32_t>(stride);
  const bool is_there = block * stride == narrow && block < static_cast<uint32_t>(count);
  return is_there ? static_cast<int32_t>(block) : -1;
}

}  // namespace

TFRT_LARGE_BLOCK_KERNEL TFRT_ENTRY(add_blocks)(Element* out, const Element* in, int64_t rows,
                                               TFRT_THREE(image), TFRT_THREE(block),
                                               TFRT_THREE(count), TFRT_THREE(stride),
                                               TFRT_THREE(dilation), TFRT_THREE(before)) {
  const int64_t blocks = int64_t{count_z} * count_y * count_x;
  const int64_t of_row = int64_t{block_z} * block_y * block_x * blocks;
  ForEachPlaceAtOnce(Dims<4>{rows, image_z, image_y, image_x}, [=](int64_t i,
                                                                   const Dims<4>& place) {
    Element sum = {};
    const Element* from = in + place.at[0] * of_row;
    for (int32_t z = 0; z < block_z; ++z) {
      const int32_t at_z =
          BlockAt(static_cast<int32_t>(place.at[1]), z, count_z, stride_z, dilation_z, before_z);
      if (at_z < 0) continue;
      for (int32_t y = 0; y < block_y; ++y) {
        const int32_t at_y =
            BlockAt(static_cast<int32_t>(place.at[2]), y, count_y, stride_y, dilation_y, before_y);
        if (at_y < 0) continue;
        for (int32_t x = 0; x < block_x; ++x) {
          const int32_t at_x = BlockAt(static_cast<int32_t>(place.at[3]), x, count_x, stride_x,
                                       dilation_x, before_x);
          if (at_x < 0) continue;
          const int64_t k = (int64_t{z} * block_y + y) * block_x + x;
          const int64_t at = (int64_t{at_z} * count_y + at_y) * count_x + at_x;
          sum = Encode<Element>(Plus(Decode(sum), Decode(from[k * blocks + at])));
        }
      }
    }
    out[i] = sum;
  });
}

}  // namespace tfrt::gpu::device
