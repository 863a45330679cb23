// Bytes as i32, for products of whole numbers.
//
//   widen_TYPE(out, in, zeros, size, every, count)
//     out[i] = in[i] - zeros[i / every % count] for i below `size`. The zeros may be null: 0.

#include "fixed_blocks.h"
#include "launch_sizes.h"
#include "ops_by_type.h"
#include "packs.h"

namespace tfrt::gpu::device {

using i8 = int8_t;
using Element = TFRT_TYPE;

TFRT_BLOCK_KERNEL TFRT_ENTRY(widen)(i32* out, const Element* in, const Element* zeros, int64_t size,
                                    int64_t every, int64_t count) {
  if (zeros == nullptr || count == 1) {
    const i32 zero = zeros == nullptr ? 0 : *zeros;
    MapElements(size, [=](Element x) { return x - zero; }, out, in);
    return;
  }
  ForEach(size, [=](int64_t i) {
    const int64_t at = Divide(i, every);
    out[i] = in[i] - zeros[at - Divide(at, count) * count];
  });
}

}  // namespace tfrt::gpu::device
