// The attributes with which a program calls an op.
#ifndef TFRT_LIB_COMPAT_CORERT_KERNELS_READ_OP_ATTRS_H_
#define TFRT_LIB_COMPAT_CORERT_KERNELS_READ_OP_ATTRS_H_

#include "tfrt/core_runtime/op_attrs.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/support/status.h"

namespace tfrt {

// Adds the attributes of a call to `attrs`; they lie in the program's file and are used there. Each
// is a pair of a name and a value, those of `op_func_attrs` with names of functions.
Status ReadOpAttrs(AggregateAttribute op_attrs, AggregateAttribute op_func_attrs, OpAttrs* attrs);

}  // namespace tfrt

#endif  // TFRT_LIB_COMPAT_CORERT_KERNELS_READ_OP_ATTRS_H_
