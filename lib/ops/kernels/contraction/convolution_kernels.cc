// Forward convolutions of images [N,H,W,C] with filters [H,W,C,O]: eigen.conv2d.*,
// tfrt_cpu.conv2d.*, tfrt_cpu.pack_filter.f32.

#include "kernel_groups.h"
#include "lib/ops/maths/contraction/convolution.h"
#include "tfrt/host_context/kernel.h"
#include "weights.h"

namespace tfrt {
namespace {

using maths::Completion;
using maths::Conv2dTail;
using maths::Conv2dWindows;
using maths::FilterOperand;
using maths::PackedFilter;

Completion EigenConv2d(const DenseHostTensor& in, const DenseHostTensor& filter,
                       DenseHostTensor& out, const Chain&, StringAttribute padding,
                       ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  const DenseHostTensor* no_bias = nullptr;
  return maths::Conv2d(in, filter, no_bias, *padding, strides.span(), out, exec_ctx);
}

Completion EigenConv2dBias(const DenseHostTensor& in, const DenseHostTensor& filter,
                           const DenseHostTensor& bias, DenseHostTensor& out, const Chain&,
                           StringAttribute padding, ArrayAttribute<int64_t> strides,
                           const ExecutionContext& exec_ctx) {
  return maths::Conv2d(in, filter, &bias, *padding, strides.span(), out, exec_ctx);
}

template <bool relu>
Completion EigenConv2dBatchNorm(const DenseHostTensor& in, const DenseHostTensor& filter,
                                const DenseHostTensor& scale, const DenseHostTensor& offset,
                                const DenseHostTensor& mean, const DenseHostTensor& variance,
                                DenseHostTensor& out, const Chain&, Attribute<float> epsilon,
                                StringAttribute padding, ArrayAttribute<int64_t> strides,
                                const ExecutionContext& exec_ctx) {
  const maths::Conv2dBatchNorm norm{scale, offset, mean, variance, *epsilon, relu};
  return maths::Conv2d(in, filter, norm, *padding, strides.span(), out, exec_ctx);
}

// The filter may be packed.
Completion RunConv2d(const DenseHostTensor& in, const Argument<AsyncValue>& filter,
                     DenseHostTensor& out, const Conv2dTail& tail, const Conv2dWindows& windows,
                     const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(FilterOperand operand, (WeightsOf<FilterOperand, PackedFilter>(
                                                   filter, "the convolution filter",
                                                   "a filter of tfrt_cpu.pack_filter.f32")));
  return maths::Conv2d(in, operand, windows, tail, out, exec_ctx);
}

Completion Conv2d(const DenseHostTensor& in, Argument<AsyncValue> filter, DenseHostTensor& out,
                  const Chain&, ArrayAttribute<int64_t> dilations, ArrayAttribute<int64_t> padding,
                  ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  return RunConv2d(in, filter, out, {}, {dilations.span(), padding.span(), strides.span()},
                   exec_ctx);
}

// With a bias [O]; if `add`, what the output holds is added before the activation, as residual
// networks do.
template <bool add>
Completion Conv2dBias(const DenseHostTensor& in, Argument<AsyncValue> filter,
                      const DenseHostTensor& bias, DenseHostTensor& out, const Chain&,
                      StringAttribute activation, ArrayAttribute<int64_t> dilations,
                      ArrayAttribute<int64_t> padding, ArrayAttribute<int64_t> strides,
                      const ExecutionContext& exec_ctx) {
  Conv2dTail tail{&bias, add};
  TFRT_ASSIGN_OR_RETURN(tail.activation, maths::ParseActivation(*activation));
  return RunConv2d(in, filter, out, tail, {dilations.span(), padding.span(), strides.span()},
                   exec_ctx);
}

StatusOr<PackedFilter> PackFilter(const DenseHostTensor& filter, const TensorShape& in,
                                  ArrayAttribute<int64_t> dilations,
                                  ArrayAttribute<int64_t> padding, ArrayAttribute<int64_t> strides,
                                  const ExecutionContext& exec_ctx) {
  return maths::PackFilter(filter, in, {dilations.span(), padding.span(), strides.span()},
                           exec_ctx);
}

}  // namespace

void RegisterEigenConvolutionKernels(KernelRegistry* registry) {
  registry->AddKernel("eigen.conv2d.f32", TFRT_KERNEL(EigenConv2d));
  registry->AddKernel("eigen.conv2d.bias.f32", TFRT_KERNEL(EigenConv2dBias));
  registry->AddKernel("eigen.conv2d.batch_norm.f32", TFRT_KERNEL(EigenConv2dBatchNorm<false>));
  registry->AddKernel("eigen.conv2d.batch_norm.relu.f32", TFRT_KERNEL(EigenConv2dBatchNorm<true>));
}

void RegisterCpuConvolutionKernels(KernelRegistry* registry) {
  registry->AddKernel("tfrt_cpu.conv2d.f32", TFRT_KERNEL(Conv2d));
  registry->AddKernel("tfrt_cpu.conv2d.bias.f32", TFRT_KERNEL(Conv2dBias<false>));
  registry->AddKernel("tfrt_cpu.conv2d.bias.add.f32", TFRT_KERNEL(Conv2dBias<true>));
  registry->AddKernel("tfrt_cpu.pack_filter.f32", TFRT_KERNEL(PackFilter));
}

}  // namespace tfrt
