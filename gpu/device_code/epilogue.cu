// Makes the results of fused products from the sums that matmul_TYPE leaves (activation 3).
//
//   epilogue_TYPE(out, sums, bias, addend, scale, size, columns, activation)
//     out [size] = activation(scale * sums [size] + bias [columns] + addend [size]). `size` is a
//     multiple of `columns`. The sums are f32, those of f64 are f64. Bias and addend may be null.
//     `scale` is f32, `activation` (i32): 0 none, 1 relu, 2 relu6.
//
// `out` may be the addend, or the sums of f32 and f64.

#include "element_ops.h"
#include "fixed_blocks.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "packs.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;
using C = Compute<Element>;

namespace {

TFRT_DEVICE Element Finish(C sum, int32_t activation) {
  if (activation != 0 && sum < 0) sum = 0;
  return Encode<Element>(activation == 2 && sum > 6 ? C(6) : sum);
}

}  // namespace

TFRT_BLOCK_KERNEL TFRT_ENTRY(epilogue)(Element* out, const C* sums, const Element* bias,
                                       const Element* addend, f32 scale, int64_t size,
                                       int64_t columns, int32_t activation) {
  if (bias != nullptr) {
    ForEach(size, [=](int64_t i) {
      C sum = scale * sums[i] + Decode(bias[i - Divide(i, columns) * columns]);
      if (addend != nullptr) sum += Decode(addend[i]);
      out[i] = Finish(sum, activation);
    });
  } else if (addend != nullptr) {
    MapElements(
        size, [=](C sum, Element added) { return Finish(scale * sum + Decode(added), activation); },
        out, sums, addend);
  } else {
    MapElements(size, [=](C sum) { return Finish(scale * sum, activation); }, out, sums);
  }
}

}  // namespace tfrt::gpu::device
