// Normalisation of tensors along the last axis, of f32 where nothing else is said. Outputs may be
// the first input. Thread-safe; tensors are borrowed for the time of the call, their memory until
// the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_NORMALIZATION_H_
#define TFRT_LIB_OPS_MATHS_NORMALIZATION_H_

#include "completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// Softmax of each row, or its logarithm, of tensors of T: float; Fp16, Bf16 or double, computed in
// double.
template <typename T>
Completion Softmax(const DenseHostTensor& in, DenseHostTensor& out,
                   const ExecutionContext& exec_ctx);
template <typename T>
Completion LogSoftmax(const DenseHostTensor& in, DenseHostTensor& out,
                      const ExecutionContext& exec_ctx);
// The same of f32 at once, on the calling thread alone.
Status SoftmaxOnThisThread(const DenseHostTensor& in, DenseHostTensor& out);
Status LogSoftmaxOnThisThread(const DenseHostTensor& in, DenseHostTensor& out);

// Computes (x - mean) / sqrt(variance + epsilon) * scale + offset for each row x of C elements. The
// mean and the variance are those of the row; scale and offset are [C].
Completion LayerNorm(const DenseHostTensor& in, const DenseHostTensor& scale,
                     const DenseHostTensor& offset, float epsilon, DenseHostTensor& out,
                     const ExecutionContext& exec_ctx);

// The same with a mean and a variance for each of the C channels, [C].
Completion BatchNorm(const DenseHostTensor& in, const DenseHostTensor& scale,
                     const DenseHostTensor& offset, const DenseHostTensor& mean,
                     const DenseHostTensor& variance, float epsilon, DenseHostTensor& out,
                     const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_NORMALIZATION_H_
