// Element-wise functions of two tensors, for ops of several names.
#ifndef TFRT_CORE_RUNTIME_OPS_BINARY_OPS_H_
#define TFRT_CORE_RUNTIME_OPS_BINARY_OPS_H_

#include "tfrt/core_runtime/op_call.h"
#include "tfrt/kernel_maths/cpu/elementwise.h"

namespace tfrt {

// Result 0 is op(argument a, argument b), dense or scalar tensors, broadcast to the result's shape.
// False, without a result, if the dtype has no such function.
template <cpu::BinaryOp op>
bool ComputeBinary(OpCall& call, const TensorMetadata& result, size_t a = 0, size_t b = 1);

extern template bool ComputeBinary<cpu::BinaryOp::kAdd>(OpCall&, const TensorMetadata&, size_t,
                                                        size_t);
extern template bool ComputeBinary<cpu::BinaryOp::kReluGrad>(OpCall&, const TensorMetadata&, size_t,
                                                             size_t);

}  // namespace tfrt

#endif  // TFRT_CORE_RUNTIME_OPS_BINARY_OPS_H_
