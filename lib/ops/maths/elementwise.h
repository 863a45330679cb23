// Element-wise operations on tensors, which may write over an input. Thread-safe; tensors are
// borrowed for the time of the call, their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_ELEMENTWISE_H_
#define TFRT_LIB_OPS_MATHS_ELEMENTWISE_H_

#include "completion.h"
#include "lib/ops/maths/cpu/elementwise.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// out = op(in), of tensors of T: float; Fp16, Bf16 or double, computed in double; or an integer but
// bool, for kRelu alone.
template <typename T>
Completion Unary(cpu::UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out,
                 const ExecutionContext& exec_ctx);
// The same of f32 at once, on the calling thread alone.
Status UnaryOnThisThread(cpu::UnaryOp op, const DenseHostTensor& in, DenseHostTensor& out);

// out = op(a, b) of tensors of T, float or int32_t, which are broadcast by NumPy's rule. Integers
// wrap, and may not divide.
template <typename T>
Completion Binary(cpu::BinaryOp op, const DenseHostTensor& a, const DenseHostTensor& b,
                  DenseHostTensor& out, const ExecutionContext& exec_ctx);
// The same of f32 at once, on the calling thread alone.
Status BinaryOnThisThread(cpu::BinaryOp op, const DenseHostTensor& a, const DenseHostTensor& b,
                          DenseHostTensor& out);

// `in`, a tensor of `from`, as a tensor of `to`: each element as CastElement has it. There is a
// FindCast(from, to) (lib/runtime/tensor/cast.h).
Completion Cast(DType from, DType to, const DenseHostTensor& in, DenseHostTensor& out,
                const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_ELEMENTWISE_H_
