// Forward convolutions of images [N,H,W,C] with filters [H,W,C,O]: eigen.conv2d.*,
// tfrt_cpu.conv2d.*, tfrt_cpu.pack_filter.f32.

#include "kernel_groups.h"
#include "lib/ops/maths/contraction/convolution.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/tensor/dense_view.h"
#include "weights.h"

namespace tfrt {
namespace {

using maths::Completion;
using maths::ConvTail;
using maths::FilterOperand;
using maths::PackedFilter;

Completion EigenConv2d(const DenseHostTensor& in, const DenseHostTensor& filter,
                       DenseHostTensor& out, const Chain&, StringAttribute padding,
                       ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, Conv2dGeometry::Create(in.shape(), filter.shape(),
                                                                        strides.span(), *padding));
  return maths::Conv2d(geometry, in, filter, ConvTail(), out, exec_ctx);
}

Completion EigenConv2dBias(const DenseHostTensor& in, const DenseHostTensor& filter,
                           const DenseHostTensor& bias, DenseHostTensor& out, const Chain&,
                           StringAttribute padding, ArrayAttribute<int64_t> strides,
                           const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, Conv2dGeometry::Create(in.shape(), filter.shape(),
                                                                        strides.span(), *padding));
  return maths::Conv2d(geometry, in, filter, ConvTail{&bias}, out, exec_ctx);
}

template <bool relu>
Completion EigenConv2dBatchNorm(const DenseHostTensor& in, const DenseHostTensor& filter,
                                const DenseHostTensor& scale, const DenseHostTensor& offset,
                                const DenseHostTensor& mean, const DenseHostTensor& variance,
                                DenseHostTensor& out, const Chain&, Attribute<float> epsilon,
                                StringAttribute padding, ArrayAttribute<int64_t> strides,
                                const ExecutionContext& exec_ctx) {
  const maths::Conv2dBatchNorm norm{scale, offset, mean, variance, *epsilon, relu};
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, Conv2dGeometry::Create(in.shape(), filter.shape(),
                                                                        strides.span(), *padding));
  return maths::Conv2d(geometry, in, filter, norm, out, exec_ctx);
}

// The filter may be packed.
Completion RunConv2d(const DenseHostTensor& in, const Argument<AsyncValue>& filter,
                     DenseHostTensor& out, const ConvTail& tail, ArrayAttribute<int64_t> dilations,
                     ArrayAttribute<int64_t> padding, ArrayAttribute<int64_t> strides,
                     const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(FilterOperand operand, (WeightsOf<FilterOperand, PackedFilter>(
                                                   filter, "the convolution filter",
                                                   "a filter of tfrt_cpu.pack_filter.f32")));
  TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, "the convolution input"));
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                        Conv2dGeometryOf(in.shape(), operand.Shape(2), dilations.span(),
                                         padding.span(), strides.span()));
  return maths::Conv2d(geometry, in, operand, tail, out, exec_ctx);
}

Completion Conv2d(const DenseHostTensor& in, Argument<AsyncValue> filter, DenseHostTensor& out,
                  const Chain&, ArrayAttribute<int64_t> dilations, ArrayAttribute<int64_t> padding,
                  ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  return RunConv2d(in, filter, out, {}, dilations, padding, strides, exec_ctx);
}

// With a bias [O]; if `add`, what the output holds is added before the activation, as residual
// networks do.
template <bool add>
Completion Conv2dBias(const DenseHostTensor& in, Argument<AsyncValue> filter,
                      const DenseHostTensor& bias, DenseHostTensor& out, const Chain&,
                      StringAttribute activation, ArrayAttribute<int64_t> dilations,
                      ArrayAttribute<int64_t> padding, ArrayAttribute<int64_t> strides,
                      const ExecutionContext& exec_ctx) {
  ConvTail tail{&bias, add};
  TFRT_ASSIGN_OR_RETURN(tail.activation.kind, maths::ParseActivation(*activation));
  return RunConv2d(in, filter, out, tail, dilations, padding, strides, exec_ctx);
}

StatusOr<PackedFilter> PackFilter(const DenseHostTensor& filter, const TensorShape& in,
                                  ArrayAttribute<int64_t> dilations,
                                  ArrayAttribute<int64_t> padding, ArrayAttribute<int64_t> strides,
                                  const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(
      Conv2dGeometry geometry,
      Conv2dGeometryOf(in, filter.shape(), dilations.span(), padding.span(), strides.span()));
  return maths::PackConv2dFilter(geometry, filter, exec_ctx);
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
