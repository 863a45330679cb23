// Attributes of graph ops that slide windows over images.
#ifndef TFRT_CORE_RUNTIME_OPS_WINDOW_ATTRS_H_
#define TFRT_CORE_RUNTIME_OPS_WINDOW_ATTRS_H_

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/kernel_maths/nd_windows.h"

namespace tfrt {

// channels_last, dilations, padding, pads, strides, as far as the op has them. Borrows the
// attributes.
NdWindowAttributes WindowAttributesOf(const OpAttrsRef& attrs);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_WINDOW_ATTRS_H_
