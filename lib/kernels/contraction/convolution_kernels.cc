// Forward convolutions of images [N,H,W,C] with filters [H,W,C,O]: eigen.conv2d.*,
// tfrt_cpu.conv2d.*, tfrt_cpu.pack_filter.f32.

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "activation.h"
#include "contractions.h"
#include "kernel_groups.h"
#include "tfrt/host_context/kernel.h"
#include "tfrt/kernels/shape_functions.h"
#include "tfrt/kernels/window_geometry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_host_tensor.h"
#include "tfrt/tensor/dense_view.h"
#include "weights.h"

namespace tfrt {
namespace {

using contraction::Activation;
using contraction::Compute;
using contraction::ConvolutionProblem;
using contraction::Operands;
using contraction::PackedFilter;

constexpr std::string_view kInput = "the convolution input";
constexpr std::string_view kFilter = "the convolution filter";
constexpr std::string_view kOutput = "the convolution output";

ConvolutionProblem MakeProblem(const Conv2dGeometry& geometry) {
  const WindowDimension& rows = geometry.window.rows;
  const WindowDimension& columns = geometry.window.columns;
  ConvolutionProblem problem;
  problem.batch = geometry.batch;
  problem.in_height = rows.input;
  problem.in_width = columns.input;
  problem.in_channels = geometry.input_channels;
  problem.filter_height = rows.filter;
  problem.filter_width = columns.filter;
  problem.out_height = rows.output;
  problem.out_width = columns.output;
  problem.out_channels = geometry.output_channels;
  problem.stride_height = rows.stride;
  problem.stride_width = columns.stride;
  problem.dilation_height = rows.dilation;
  problem.dilation_width = columns.dilation;
  problem.pad_top = rows.pad_before;
  problem.pad_bottom = rows.pad_after;
  problem.pad_left = columns.pad_before;
  problem.pad_right = columns.pad_after;
  return problem;
}

// The output for writing, of the shape the geometry says, which shares no memory with what is read.
StatusOr<float*> OutputData(const Conv2dGeometry& geometry, DenseHostTensor& out,
                            std::initializer_list<const DenseHostTensor*> inputs) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, geometry.OutputShape());
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("output tensor shape", out.shape(), "computed output shape", shape));
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, kOutput));
  for (const DenseHostTensor* input : inputs) {
    if (input && contraction::Overlap(*input, out)) {
      return InvalidArgumentError("the convolution output shares memory with an input");
    }
  }
  return view.data();
}

// One value per output channel; `name` as the messages have it, for example "bias".
StatusOr<const float*> ChannelValues(const DenseHostTensor& tensor, std::string_view name,
                                     int64_t channels) {
  TFRT_RETURN_IF_ERROR(CheckRank(tensor, 1, StrCat("the convolution ", name)));
  TFRT_RETURN_IF_ERROR(CheckDType(tensor, DType::kF32, StrCat("the convolution ", name)));
  if (tensor.shape().dim(0) != channels) {
    return InvalidArgumentError(StrCat("Dimensions does not match: ", name, " shape is ",
                                       tensor.shape().dim(0), " and output channels size is ",
                                       channels));
  }
  return static_cast<const float*>(tensor.data());
}

// What the eigen.conv2d kernels have in common: checks, and the problem with its operands.
struct EigenConvolution {
  ConvolutionProblem problem;
  Operands operands;

  // `bias` may be null.
  static StatusOr<EigenConvolution> Create(const DenseHostTensor& in, const DenseHostTensor& filter,
                                           const DenseHostTensor* bias, DenseHostTensor& out,
                                           StringAttribute padding,
                                           ArrayAttribute<int64_t> strides) {
    TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, kInput));
    TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, kFilter));
    TFRT_ASSIGN_OR_RETURN(
        Conv2dGeometry geometry,
        Conv2dGeometry::Create(in.shape(), filter.shape(), strides.span(), *padding));
    EigenConvolution result;
    result.problem = MakeProblem(geometry);
    result.operands.a = static_cast<const float*>(in.data());
    result.operands.b = static_cast<const float*>(filter.data());
    TFRT_ASSIGN_OR_RETURN(result.operands.out, OutputData(geometry, out, {&in, &filter, bias}));
    return result;
  }
};

StatusOr<AsyncValueRef<Chain>> EigenConv2d(Argument<DenseHostTensor> in,
                                           Argument<DenseHostTensor> filter,
                                           Argument<DenseHostTensor> out, const Chain&,
                                           StringAttribute padding, ArrayAttribute<int64_t> strides,
                                           const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(EigenConvolution convolution,
                        EigenConvolution::Create(*in, *filter, nullptr, *out, padding, strides));
  return Compute<ConvolutionProblem>(exec_ctx, convolution.problem, convolution.operands, nullptr,
                                     {in.value(), filter.value(), out.value()});
}

StatusOr<AsyncValueRef<Chain>> EigenConv2dBias(
    Argument<DenseHostTensor> in, Argument<DenseHostTensor> filter, Argument<DenseHostTensor> bias,
    Argument<DenseHostTensor> out, const Chain&, StringAttribute padding,
    ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(EigenConvolution convolution,
                        EigenConvolution::Create(*in, *filter, &*bias, *out, padding, strides));
  TFRT_ASSIGN_OR_RETURN(convolution.operands.bias,
                        ChannelValues(*bias, "bias", convolution.problem.out_channels));
  convolution.problem.has_bias = true;
  return Compute<ConvolutionProblem>(exec_ctx, convolution.problem, convolution.operands, nullptr,
                                     {in.value(), filter.value(), bias.value(), out.value()});
}

// Batch normalisation of a convolution's output: y = x * factor + summand per channel.
struct ChannelAffine {
  std::vector<float> factor;
  std::vector<float> summand;

  void Apply(float* out, int64_t pixels, bool relu) const {
    size_t channels = factor.size();
    for (int64_t i = 0; i < pixels; ++i, out += channels) {
      for (size_t c = 0; c < channels; ++c) {
        float y = out[c] * factor[c] + summand[c];
        out[c] = relu && y < 0 ? 0 : y;
      }
    }
  }
};

// out = (conv(in, filter) - mean) / sqrt(variance + epsilon) * scale + offset, then max(out, 0) if
// `relu`.
template <bool relu>
StatusOr<AsyncValueRef<Chain>> EigenConv2dBatchNorm(
    Argument<DenseHostTensor> in, Argument<DenseHostTensor> filter, const DenseHostTensor& scale,
    const DenseHostTensor& offset, const DenseHostTensor& mean, const DenseHostTensor& variance,
    Argument<DenseHostTensor> out, const Chain&, Attribute<float> epsilon, StringAttribute padding,
    ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(EigenConvolution convolution,
                        EigenConvolution::Create(*in, *filter, nullptr, *out, padding, strides));
  const ConvolutionProblem& problem = convolution.problem;
  int64_t channels = problem.out_channels;
  TFRT_ASSIGN_OR_RETURN(const float* scales, ChannelValues(scale, "scale", channels));
  TFRT_ASSIGN_OR_RETURN(const float* offsets, ChannelValues(offset, "offset", channels));
  TFRT_ASSIGN_OR_RETURN(const float* means, ChannelValues(mean, "estimated mean", channels));
  TFRT_ASSIGN_OR_RETURN(const float* variances, ChannelValues(variance, "estimated var", channels));
  ChannelAffine affine;
  for (int64_t c = 0; c < channels; ++c) {
    affine.factor.push_back(scales[c] / std::sqrt(variances[c] + *epsilon));
    affine.summand.push_back(offsets[c] - means[c] * affine.factor.back());
  }
  int64_t pixels = problem.batch * problem.out_height * problem.out_width;
  float* data = convolution.operands.out;
  auto convolved = Compute<ConvolutionProblem>(exec_ctx, problem, convolution.operands, nullptr,
                                               {in.value(), filter.value(), out.value()});
  if (convolved.IsError() || !problem.has_output()) return convolved;
  if (convolved.IsConcrete()) {
    affine.Apply(data, pixels, relu);
    return convolved;
  }
  return convolved.Map([affine = std::move(affine), data, pixels, keep = out.ValueRef()](Chain&) {
    affine.Apply(data, pixels, relu);
    return Chain();
  });
}

// out = activation(conv(in, filter) + bias + beta * out); the filter may be packed.
StatusOr<AsyncValueRef<Chain>> RunConv2d(const ExecutionContext& exec_ctx,
                                         Argument<DenseHostTensor> in, Argument<AsyncValue> filter,
                                         AsyncValue* bias, Argument<DenseHostTensor> out,
                                         float beta, Activation activation,
                                         ArrayAttribute<int64_t> dilations,
                                         ArrayAttribute<int64_t> padding,
                                         ArrayAttribute<int64_t> strides) {
  TFRT_ASSIGN_OR_RETURN(auto weights, contraction::GetWeights<ConvolutionProblem>(
                                          filter, kFilter, "a filter of tfrt_cpu.pack_filter.f32"));
  TFRT_RETURN_IF_ERROR(CheckDType(*in, DType::kF32, kInput));
  TensorShape filter_shape;
  Operands operands;
  if (weights.packed) {
    const ConvolutionProblem& packed = weights.packed->problem();
    filter_shape = {packed.filter_height, packed.filter_width, packed.in_channels,
                    packed.out_channels};
  } else {
    TFRT_RETURN_IF_ERROR(CheckDType(*weights.plain, DType::kF32, kFilter));
    filter_shape = weights.plain->shape();
    operands.b = static_cast<const float*>(weights.plain->data());
  }
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                        Conv2dGeometryOf(in->shape(), filter_shape, dilations.span(),
                                         padding.span(), strides.span()));
  ConvolutionProblem problem = MakeProblem(geometry);
  problem.packed_filter = weights.packed != nullptr;
  problem.beta = beta;
  problem.activation = activation;
  if (bias) {
    TFRT_ASSIGN_OR_RETURN(
        operands.bias, ChannelValues(bias->get<DenseHostTensor>(), "bias", problem.out_channels));
    problem.has_bias = true;
  }
  operands.a = static_cast<const float*>(in->data());
  TFRT_ASSIGN_OR_RETURN(operands.out, OutputData(geometry, *out,
                                                 {&*in, weights.plain,
                                                  bias ? &bias->get<DenseHostTensor>() : nullptr}));
  return Compute<ConvolutionProblem>(
      exec_ctx, problem, operands, weights.packed,
      {in.value(), filter.value(), bias ? bias : in.value(), out.value()});
}

StatusOr<AsyncValueRef<Chain>> Conv2d(Argument<DenseHostTensor> in, Argument<AsyncValue> filter,
                                      Argument<DenseHostTensor> out, const Chain&,
                                      ArrayAttribute<int64_t> dilations,
                                      ArrayAttribute<int64_t> padding,
                                      ArrayAttribute<int64_t> strides,
                                      const ExecutionContext& exec_ctx) {
  return RunConv2d(exec_ctx, in, filter, nullptr, out, 0, Activation::kNone, dilations, padding,
                   strides);
}

// With a bias [O]; if `add`, what the output holds is added before the activation, as residual
// networks do.
template <bool add>
StatusOr<AsyncValueRef<Chain>> Conv2dBias(
    Argument<DenseHostTensor> in, Argument<AsyncValue> filter, Argument<DenseHostTensor> bias,
    Argument<DenseHostTensor> out, const Chain&, StringAttribute activation,
    ArrayAttribute<int64_t> dilations, ArrayAttribute<int64_t> padding,
    ArrayAttribute<int64_t> strides, const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(Activation parsed, contraction::ParseActivation(*activation));
  return RunConv2d(exec_ctx, in, filter, bias.value(), out, add ? 1 : 0, parsed, dilations, padding,
                   strides);
}

// The filter in the layout that convolutions of images of shape `in` with these attributes read
// fastest. Other convolutions with the same filter sizes may use it as well.
StatusOr<PackedFilter> PackFilter(const DenseHostTensor& filter, const TensorShape& in,
                                  ArrayAttribute<int64_t> dilations,
                                  ArrayAttribute<int64_t> padding, ArrayAttribute<int64_t> strides,
                                  const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the filter to pack"));
  TFRT_ASSIGN_OR_RETURN(
      Conv2dGeometry geometry,
      Conv2dGeometryOf(in, filter.shape(), dilations.span(), padding.span(), strides.span()));
  TFRT_RETURN_IF_ERROR(geometry.OutputShape().status());
  ConvolutionProblem problem = MakeProblem(geometry);
  if (!problem.has_output() || in.num_elements() == 0) {
    return InvalidArgumentError(StrCat("a convolution of an image ", in.ToString(),
                                       " with a filter ", filter.shape().ToString(),
                                       " has no elements to pack the filter for"));
  }
  problem.packed_filter = true;
  return contraction::Contractions::Of(exec_ctx).Pack(problem,
                                                      static_cast<const float*>(filter.data()),
                                                      static_cast<size_t>(filter.num_elements()));
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
