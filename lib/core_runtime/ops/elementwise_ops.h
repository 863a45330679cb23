// Element-wise ops, for ops of other names.
#ifndef TFRT_CORE_RUNTIME_OPS_ELEMENTWISE_OPS_H_
#define TFRT_CORE_RUNTIME_OPS_ELEMENTWISE_OPS_H_

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/opinfo/elementwise_tape.h"

namespace tfrt {

// Result 0 is the op of the call's arguments, dense or scalar tensors that broadcast to the shape
// that the call has for the result. The error has been reported.
void RunElementwise(ElementwiseOp op, OpCall& call);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_ELEMENTWISE_OPS_H_
