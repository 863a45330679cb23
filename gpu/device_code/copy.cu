// Copies between layouts: permutations, broadcasts, slices, reversals, repetitions, and parts of
// concatenations.
//
//   copy_WIDTH(out, in, size1, ..., size4, in_step1, ..., in_step4, out_step1, ..., out_step4)
//   copy_eight_WIDTH(out, in, size1, ..., size8, in_step1, ..., in_step8, out_step1, ...)
//     out[place * out_steps] = in[place * in_steps] for each place within the sizes. In `in` a step
//     may be 0, which repeats, or negative. No element of `out` is at two places.
//
// b8, b16, b32, b64, b128: units of so many bits, to which both pointers are aligned. Sizes and
// steps are i64, in units. PlanCopy (copy_plan.h) makes them. `out` and `in` share no memory.

#include "dims.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "widths.h"

namespace tfrt::gpu::device {

using Unit = TFRT_TYPE;

template <int rank>
TFRT_DEVICE void Copy(Unit* out, const Unit* in, const Dims<rank>& sizes,
                      const Dims<rank>& in_steps, const Dims<rank>& out_steps) {
  ForEachPlace(sizes, [&](int64_t, const Dims<rank>& place) {
    out[place.OffsetWith(out_steps)] = in[place.OffsetWith(in_steps)];
  });
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(copy)(Unit* out, const Unit* in, TFRT_FOUR(size), TFRT_FOUR(in_step),
                                   TFRT_FOUR(out_step)) {
  Copy<4>(out, in, TFRT_FOUR_OF(size), TFRT_FOUR_OF(in_step), TFRT_FOUR_OF(out_step));
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(copy_eight)(Unit* out, const Unit* in, TFRT_EIGHT(size),
                                         TFRT_EIGHT(in_step), TFRT_EIGHT(out_step)) {
  Copy<8>(out, in, TFRT_EIGHT_OF(size), TFRT_EIGHT_OF(in_step), TFRT_EIGHT_OF(out_step));
}

}  // namespace tfrt::gpu::device
