// Losses and updates of f32 tensors. Thread-safe; tensors are borrowed for the time of the call,
// their memory until the completion (completion.h).
#ifndef TFRT_LIB_OPS_MATHS_TENSOR_TRAINING_H_
#define TFRT_LIB_OPS_MATHS_TENSOR_TRAINING_H_

#include "lib/ops/maths/completion.h"
#include "tfrt/host_context/execution_context.h"
#include "tfrt/tensor/dense_host_tensor.h"

namespace tfrt::maths {

// logits [N,C], labels i32 [N] -> loss [N]
Completion SoftmaxCrossEntropy(const DenseHostTensor& logits, const DenseHostTensor& labels,
                               DenseHostTensor& loss, const ExecutionContext& exec_ctx);

// logits [N,C], labels i32 [N], loss_grad [N] -> logits_grad [N,C], which may be the logits.
Completion SoftmaxCrossEntropyGrad(const DenseHostTensor& logits, const DenseHostTensor& labels,
                                   const DenseHostTensor& loss_grad, DenseHostTensor& logits_grad,
                                   const ExecutionContext& exec_ctx);

// variable -= learning_rate * gradient, where the rate is one element and the variable may be the
// gradient.
Completion SgdUpdate(const DenseHostTensor& gradient, const DenseHostTensor& learning_rate,
                     DenseHostTensor& variable, const ExecutionContext& exec_ctx);

}  // namespace tfrt::maths

#endif  // TFRT_LIB_OPS_MATHS_TENSOR_TRAINING_H_
