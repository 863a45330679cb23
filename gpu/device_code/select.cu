// Elements of one of two tensors.
//
//   select_WIDTH(out, condition, x, y, size, condition_step, x_step, y_step)
//     out[i] = condition[i step] is not 0 ? x[i step] : y[i step]: step 0 repeats one element, 1
//     takes each.
//   broadcast_select_WIDTH(out, condition, x, y, size1, ..., size4,
//                          condition_step1, ..., condition_step4, x_step1, ..., y_step1, ...)
//     out [size1,...,size4], dense, of operands that are so many elements apart along each
//     dimension: 0 repeats.
//
// b8, b16, b32, b64: elements of so many bits. `condition` has bytes. Sizes and steps are i64.
// `out` may be an operand that does not repeat.

#include "dims.h"
#include "element.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "packs.h"
#include "widths.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

TFRT_BLOCK_KERNEL TFRT_ENTRY(select)(Element* out, const i1* condition, const Element* x,
                                     const Element* y, int64_t size, int64_t condition_step,
                                     int64_t x_step, int64_t y_step) {
  if (condition_step == 1 && x_step == 1 && y_step == 1) {
    MapElements(
        size, [](i1 c, Element a, Element b) { return c.byte != 0 ? a : b; }, out, condition, x, y);
    return;
  }
  ForEach(size, [=](int64_t i) {
    out[i] = condition[i * condition_step].byte != 0 ? x[i * x_step] : y[i * y_step];
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(broadcast_select)(Element* out, const i1* condition, const Element* x,
                                               const Element* y, TFRT_FOUR(size),
                                               TFRT_FOUR(condition_step), TFRT_FOUR(x_step),
                                               TFRT_FOUR(y_step)) {
  const Dims<4> sizes = TFRT_FOUR_OF(size), condition_steps = TFRT_FOUR_OF(condition_step);
  const Dims<4> x_steps = TFRT_FOUR_OF(x_step), y_steps = TFRT_FOUR_OF(y_step);
  ForEachPlace(sizes, [&](int64_t i, const Dims<4>& place) {
    out[i] = condition[place.OffsetWith(condition_steps)].byte != 0 ? x[place.OffsetWith(x_steps)]
                                                                    : y[place.OffsetWith(y_steps)];
  });
}

}  // namespace tfrt::gpu::device
