// Elements around a tensor.
//
//   pad_WIDTH(out, in, value, mode, size1, ..., size5, kept1, ..., kept5,
//             before1, ..., before5, step1, ..., step5)
//     out [size1,...,size5], dense. The positions [before, before + kept) along a dimension are
//     those of `in`, whose elements are `step` apart. The others depend on `mode` (i32):
//     0: `value`. Else positions of `in`: 1, mirrored at its ends, which do not repeat; 2, the
//     nearest; 3, from the other end.
//
// b8, b16, b32, b64: units of so many bits, to which both pointers are aligned. Other numbers are
// i64, in units; `kept` is 0 in mode 0 only. PlanPad (pad_plan.h) makes them. `out` and `in` share
// no memory.

#include "dims.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "pad_modes.h"
#include "widths.h"

#define TFRT_FIVE(name) TFRT_FOUR(name), int64_t name##5
#define TFRT_FIVE_OF(name) {name##1, name##2, name##3, name##4, name##5}

namespace tfrt::gpu::device {

using Unit = TFRT_TYPE;

// The position of `in` for position i of `kept`, which may be outside of them. In mode 0 it stays
// outside.
TFRT_DEVICE int64_t PositionFor(int64_t i, int64_t kept, PadMode mode) {
  if ((i >= 0 && i < kept) || mode == PadMode::kConstant) return i;
  if (mode == PadMode::kEdge || kept == 1) return i < 0 ? 0 : kept - 1;
  const int64_t period = mode == PadMode::kWrap ? kept : 2 * kept - 2;
  int64_t at = i % period;
  if (at < 0) at += period;
  return at < kept ? at : period - at;
}

TFRT_BLOCK_KERNEL TFRT_ENTRY(pad)(Unit* out, const Unit* in, Unit value, int32_t mode,
                                  TFRT_FIVE(size), TFRT_FIVE(kept), TFRT_FIVE(before),
                                  TFRT_FIVE(step)) {
  const Dims<5> sizes = TFRT_FIVE_OF(size), kept = TFRT_FIVE_OF(kept);
  const Dims<5> before = TFRT_FIVE_OF(before), steps = TFRT_FIVE_OF(step);
  ForEachPlace(sizes, [&](int64_t i, const Dims<5>& place) {
    bool is_inside = true;
    int64_t offset = 0;
#pragma unroll
    for (int d = 0; d < 5; ++d) {
      const int64_t at =
          PositionFor(place.at[d] - before.at[d], kept.at[d], static_cast<PadMode>(mode));
      is_inside &= at >= 0 && at < kept.at[d];
      offset += at * steps.at[d];
    }
    out[i] = is_inside ? in[offset] : value;
  });
}

}  // namespace tfrt::gpu::device
