// Attributes of graph ops that slide windows over images.
#ifndef TFRT_LIB_OPS_HOST_OPS_WINDOW_ATTRS_H_
#define TFRT_LIB_OPS_HOST_OPS_WINDOW_ATTRS_H_

#include "lib/ops/maths/shapes/nd_windows.h"
#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// channels_last, dilations, padding, pads, strides, as far as the op has them. Borrows the
// attributes.
NdWindowAttributes WindowAttributesOf(const OpAttrsRef& attrs);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_WINDOW_ATTRS_H_
