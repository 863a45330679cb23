// Numbers with the same distance.
//
//   range_TYPE(out, start, step, size)
//     out[i] = start + i * step, each on its own, not as a sum of steps. start and step have the
//     type that elements are computed in: f32 for f16 and bf16. Integers wrap.

#include "element_ops.h"
#include "fixed_blocks.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

TFRT_BLOCK_KERNEL TFRT_ENTRY(range)(Element* out, Compute<Element> start, Compute<Element> step,
                                    int64_t size) {
  using C = Compute<Element>;
  ForEach(size, [=](int64_t i) {
    out[i] = Encode<Element>(Plus(start, Times(static_cast<C>(i), step)));
  });
}

}  // namespace tfrt::gpu::device
