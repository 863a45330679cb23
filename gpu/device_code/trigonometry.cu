// Functions of angles, hyperbolic functions, and their inverses.
//
//   NAME_TYPE(out, in, size)      sin, cos, tan, asin, acos, atan, sinh, cosh, asinh, acosh, atanh
//
// out [size] may be in [size]. A thread computes one element at a time: the functions take longer
// than memory does.

#include "fixed_blocks.h"
#include "ops_by_type.h"
#include "trigonometry.h"

namespace tfrt::gpu::device {

using Element = TFRT_TYPE;

#define TFRT_TRIGONOMETRY_KERNEL(name, op)                                                       \
  TFRT_BLOCK_KERNEL TFRT_ENTRY(name)(Element * out, const Element* in, int64_t size) {           \
    using C = Compute<Element>;                                                                  \
    ForEach(size,                                                                                \
            [=](int64_t i) { out[i] = Encode<Element>(op::Apply(Decode(in[i]), C(0), C(0))); }); \
  }
TFRT_TRIGONOMETRY(TFRT_TRIGONOMETRY_KERNEL)

}  // namespace tfrt::gpu::device
