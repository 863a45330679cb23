// Elements as another type.
//
//   cast_FROM_TO(out, in, size)
//
// out [size] may be in [size] if both types have as many bytes.

#include "element.h"
#include "grid.h"
#include "ops_by_type.h"

namespace tfrt::gpu::device {

#define TFRT_CAST_KERNEL(from, to)                                        \
  TFRT_KERNEL cast_##from##_##to(to* out, const from* in, int64_t size) { \
    ForEach(size, [=](int64_t i) { out[i] = Cast<to>(in[i]); });          \
  }
TFRT_CASTS(TFRT_CAST_KERNEL)

}  // namespace tfrt::gpu::device
