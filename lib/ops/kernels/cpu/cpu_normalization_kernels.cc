// tfrt_cpu.softmax, .log_softmax, .layer_norm, .batch_norm, tf_sync.Softmax, .LogSoftmax: they may
// write over their first input.

#include "kernel_groups.h"
#include "lib/ops/maths/normalization.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

using maths::Completion;

Completion Softmax(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                   const ExecutionContext& exec_ctx) {
  return maths::Softmax<float>(in, out, exec_ctx);
}

Completion LogSoftmax(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                      const ExecutionContext& exec_ctx) {
  return maths::LogSoftmax<float>(in, out, exec_ctx);
}

Completion LayerNorm(const DenseHostTensor& in, const DenseHostTensor& scale,
                     const DenseHostTensor& offset, DenseHostTensor& out, const Chain&,
                     Attribute<float> epsilon, const ExecutionContext& exec_ctx) {
  return maths::LayerNorm(in, scale, offset, *epsilon, out, exec_ctx);
}

Completion BatchNorm(const DenseHostTensor& in, const DenseHostTensor& scale,
                     const DenseHostTensor& offset, const DenseHostTensor& mean,
                     const DenseHostTensor& variance, DenseHostTensor& out, const Chain&,
                     Attribute<float> epsilon, const ExecutionContext& exec_ctx) {
  return maths::BatchNorm(in, scale, offset, mean, variance, *epsilon, out, exec_ctx);
}

}  // namespace

void RegisterCpuNormalizationKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.softmax.f32", TFRT_KERNEL(Softmax));
  registry->AddKernel("tfrt_cpu.log_softmax.f32", TFRT_KERNEL(LogSoftmax));
  registry->AddKernel("tfrt_cpu.layer_norm.f32", TFRT_KERNEL(LayerNorm));
  registry->AddKernel("tfrt_cpu.batch_norm.f32", TFRT_KERNEL(BatchNorm));
  registry->AddSyncKernel("tf_sync.Softmax.f32", TFRT_SYNC_KERNEL(maths::SoftmaxOnThisThread));
  registry->AddSyncKernel("tf_sync.LogSoftmax.f32",
                          TFRT_SYNC_KERNEL(maths::LogSoftmaxOnThisThread));
}

}  // namespace tfrt
