// The same value for all elements.
//
//   fill_WIDTH(out, value, size)      b8, b16, b32, b64: an element with these bits

#include "grid.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {

#define TFRT_FILL_KERNEL(width, type)                             \
  TFRT_KERNEL fill_##width(type* out, type value, int64_t size) { \
    ForEach(size, [=](int64_t i) { out[i] = value; });            \
  }
TFRT_WIDTHS(TFRT_FILL_KERNEL)

}  // namespace tfrt::gpu::device
