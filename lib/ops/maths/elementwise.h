// Element-wise operations on tensors, which may write over an input. Thread-safe; tensors are
// borrowed for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_ELEMENTWISE_H_
#define TFRT_LIB_OPS_MATHS_ELEMENTWISE_H_

#include <initializer_list>

#include "completion.h"
#include "lib/format/op_table/elementwise_tape.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// out = op(inputs), of one or two tensors of `dtype`, which are broadcast by NumPy's rule. There is
// a function for it (cpu::FindElementFunction), and the result has that dtype. The gradient is the
// second input of kReluGrad, the first of its row. Integers wrap, and may not divide.
Completion Elementwise(ElementwiseOp op, DType dtype,
                       std::initializer_list<const DenseHostTensor*> inputs, DenseHostTensor& out,
                       const ExecutionContext& exec_ctx);
// The same at once, on the calling thread alone.
Status ElementwiseOnThisThread(ElementwiseOp op, DType dtype,
                               std::initializer_list<const DenseHostTensor*> inputs,
                               DenseHostTensor& out);

// `in`, a tensor of `from`, as a tensor of `to`: each element as CastElement has it. There is a
// FindCast(from, to) (lib/runtime/tensor/cast.h).
Completion Cast(DType from, DType to, const DenseHostTensor& in, DenseHostTensor& out,
                const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_ELEMENTWISE_H_
