// tfrt_cpu.max_pool2d, .avg_pool2d, .global_average_pool, .max_pool2d_grad: images are [N,H,W,C].

#include <cstdint>

#include "kernel_groups.h"
#include "lib/ops/maths/pooling.h"
#include "tfrt/host_context/kernel.h"

namespace tfrt {
namespace {

using maths::Completion;

StatusOr<cpu::Pool2d> PoolOf(const DenseHostTensor& in, ArrayAttribute<int64_t> ksize,
                             StringAttribute padding, ArrayAttribute<int64_t> strides) {
  return maths::MakePool2d(in.shape(), ksize.span(), *padding, strides.span());
}

Completion MaxPool2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                     ArrayAttribute<int64_t> ksize, StringAttribute padding,
                     ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool, PoolOf(in, ksize, padding, strides));
  return maths::MaxPool2d(pool, in, out, exec_ctx);
}

Completion AvgPool2d(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                     ArrayAttribute<int64_t> ksize, StringAttribute padding,
                     ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool, PoolOf(in, ksize, padding, strides));
  return maths::AveragePool2d(pool, in, out, exec_ctx);
}

Completion GlobalAveragePool(const DenseHostTensor& in, DenseHostTensor& out, const Chain&,
                             const ExecutionContext& exec_ctx) {
  return maths::GlobalAveragePool(in, out, exec_ctx);
}

// in and out as max_pool2d had them; out_grad like out, in_grad like in.
Completion MaxPool2dGrad(const DenseHostTensor& in, const DenseHostTensor& out,
                         const DenseHostTensor& out_grad, DenseHostTensor& in_grad, const Chain&,
                         ArrayAttribute<int64_t> ksize, StringAttribute padding,
                         ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(cpu::Pool2d pool, PoolOf(in, ksize, padding, strides));
  return maths::MaxPool2dGrad(pool, in, out, out_grad, in_grad, exec_ctx);
}

}  // namespace

void RegisterCpuPoolingKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.max_pool2d.f32", TFRT_KERNEL(MaxPool2d));
  registry->AddKernel("tfrt_cpu.avg_pool2d.f32", TFRT_KERNEL(AvgPool2d));
  registry->AddKernel("tfrt_cpu.global_average_pool.f32", TFRT_KERNEL(GlobalAveragePool));
  registry->AddKernel("tfrt_cpu.max_pool2d_grad.f32", TFRT_KERNEL(MaxPool2dGrad));
}

}  // namespace tfrt
