// tfrt_cpu.softmax_cross_entropy and its gradient, tfrt_cpu.sgd_update.

#include "kernel_groups.h"
#include "lib/ops/maths/tensor/training.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

using maths::Completion;

Completion SoftmaxCrossEntropy(const DenseHostTensor& logits, const DenseHostTensor& labels,
                               DenseHostTensor& loss, const Chain&,
                               const ExecutionContext& exec_ctx) {
  return maths::SoftmaxCrossEntropy(logits, labels, loss, exec_ctx);
}

Completion SoftmaxCrossEntropyGrad(const DenseHostTensor& logits, const DenseHostTensor& labels,
                                   const DenseHostTensor& loss_grad, DenseHostTensor& logits_grad,
                                   const Chain&, const ExecutionContext& exec_ctx) {
  return maths::SoftmaxCrossEntropyGrad(logits, labels, loss_grad, logits_grad, exec_ctx);
}

Completion SgdUpdate(const DenseHostTensor& gradient, const DenseHostTensor& learning_rate,
                     DenseHostTensor& variable, const Chain&, const ExecutionContext& exec_ctx) {
  return maths::SgdUpdate(gradient, learning_rate, variable, exec_ctx);
}

}  // namespace

void RegisterCpuTrainingKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.softmax_cross_entropy.f32", TFRT_KERNEL(SoftmaxCrossEntropy));
  registry->AddKernel("tfrt_cpu.softmax_cross_entropy_grad.f32",
                      TFRT_KERNEL(SoftmaxCrossEntropyGrad));
  registry->AddKernel("tfrt_cpu.sgd_update.f32", TFRT_KERNEL(SgdUpdate));
}

}  // namespace tfrt
