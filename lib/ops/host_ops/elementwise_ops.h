// Element-wise ops, for ops of other names.
#ifndef TFRT_LIB_OPS_HOST_OPS_ELEMENTWISE_OPS_H_
#define TFRT_LIB_OPS_HOST_OPS_ELEMENTWISE_OPS_H_

#include "lib/format/op_table/elementwise_tape.h"
#include "tfrt/core_runtime/op_call.h"

namespace tfrt {

// Result 0 is the op of the call's arguments, dense or scalar tensors that broadcast to the shape
// that the call has for the result. The error has been reported.
void RunElementwise(ElementwiseOp op, OpCall& call);

}  // namespace tfrt

#endif  // TFRT_LIB_OPS_HOST_OPS_ELEMENTWISE_OPS_H_
