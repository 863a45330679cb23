#include "convolution.h"

#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include "contractions.h"
#include "lib/ops/maths/shapes/window_geometry.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using contraction::Compute;
using contraction::ConvolutionProblem;
using contraction::Operands;

constexpr std::string_view kInput = "the convolution input";
constexpr std::string_view kFilter = "the convolution filter";
constexpr std::string_view kConvolutionOutput = "the convolution output";

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
StatusOr<float*> ConvolutionOutputData(const Conv2dGeometry& geometry, DenseHostTensor& out,
                                       std::initializer_list<const DenseHostTensor*> inputs) {
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, geometry.OutputShape());
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("output tensor shape", out.shape(), "computed output shape", shape));
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, kConvolutionOutput));
  for (const DenseHostTensor* input : inputs) {
    if (input && Overlap(*input, out)) {
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

// A convolution whose operands fit together.
struct CheckedConvolution {
  ConvolutionProblem problem;
  Operands operands;

  // With padding by name. `bias` may be null, and is only checked to be apart from the output.
  static StatusOr<CheckedConvolution> Create(const DenseHostTensor& in,
                                             const DenseHostTensor& filter,
                                             const DenseHostTensor* bias, DenseHostTensor& out,
                                             std::string_view padding,
                                             std::span<const int64_t> strides) {
    TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, kInput));
    TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, kFilter));
    TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                          Conv2dGeometry::Create(in.shape(), filter.shape(), strides, padding));
    CheckedConvolution result;
    result.problem = MakeProblem(geometry);
    result.operands.a = static_cast<const float*>(in.data());
    result.operands.b = static_cast<const float*>(filter.data());
    TFRT_ASSIGN_OR_RETURN(result.operands.out,
                          ConvolutionOutputData(geometry, out, {&in, &filter, bias}));
    return result;
  }
};

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

StatusOr<Conv2dGeometry> GeometryOf(const TensorShape& in, const TensorShape& filter,
                                    const Conv2dWindows& windows) {
  return Conv2dGeometryOf(in, filter, windows.dilations, windows.padding, windows.strides);
}

}  // namespace

Completion Conv2d(const DenseHostTensor& in, const FilterOperand& filter,
                  const Conv2dWindows& windows, const Conv2dTail& tail, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, kInput));
  TensorShape filter_shape;
  Operands operands;
  if (filter.packed) {
    const ConvolutionProblem& packed = filter.packed->state->problem();
    filter_shape = {packed.filter_height, packed.filter_width, packed.in_channels,
                    packed.out_channels};
  } else {
    TFRT_RETURN_IF_ERROR(CheckDType(*filter.plain, DType::kF32, kFilter));
    filter_shape = filter.plain->shape();
    operands.b = static_cast<const float*>(filter.plain->data());
  }
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, GeometryOf(in.shape(), filter_shape, windows));
  ConvolutionProblem problem = MakeProblem(geometry);
  problem.packed_filter = filter.packed != nullptr;
  problem.beta = tail.add_to_output ? 1 : 0;
  problem.activation = tail.activation;
  if (tail.bias) {
    TFRT_ASSIGN_OR_RETURN(operands.bias, ChannelValues(*tail.bias, "bias", problem.out_channels));
    problem.has_bias = true;
  }
  operands.a = static_cast<const float*>(in.data());
  TFRT_ASSIGN_OR_RETURN(operands.out,
                        ConvolutionOutputData(geometry, out, {&in, filter.plain, tail.bias}));
  return Compute<ConvolutionProblem>(exec_ctx, problem, operands,
                                     filter.packed ? &filter.packed->state : nullptr,
                                     {&in, filter.plain, tail.bias, &out});
}

Completion Conv2d(const DenseHostTensor& in, const DenseHostTensor& filter,
                  const DenseHostTensor* bias, std::string_view padding,
                  std::span<const int64_t> strides, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(CheckedConvolution convolution,
                        CheckedConvolution::Create(in, filter, bias, out, padding, strides));
  if (bias) {
    TFRT_ASSIGN_OR_RETURN(convolution.operands.bias,
                          ChannelValues(*bias, "bias", convolution.problem.out_channels));
    convolution.problem.has_bias = true;
  }
  return Compute<ConvolutionProblem>(exec_ctx, convolution.problem, convolution.operands, nullptr,
                                     {&in, &filter, bias, &out});
}

Completion Conv2d(const DenseHostTensor& in, const DenseHostTensor& filter,
                  const Conv2dBatchNorm& norm, std::string_view padding,
                  std::span<const int64_t> strides, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  TFRT_ASSIGN_OR_RETURN(CheckedConvolution convolution,
                        CheckedConvolution::Create(in, filter, nullptr, out, padding, strides));
  const ConvolutionProblem& problem = convolution.problem;
  int64_t channels = problem.out_channels;
  TFRT_ASSIGN_OR_RETURN(const float* scales, ChannelValues(norm.scale, "scale", channels));
  TFRT_ASSIGN_OR_RETURN(const float* offsets, ChannelValues(norm.offset, "offset", channels));
  TFRT_ASSIGN_OR_RETURN(const float* means, ChannelValues(norm.mean, "estimated mean", channels));
  TFRT_ASSIGN_OR_RETURN(const float* variances,
                        ChannelValues(norm.variance, "estimated var", channels));
  ChannelAffine affine;
  for (int64_t c = 0; c < channels; ++c) {
    affine.factor.push_back(scales[c] / std::sqrt(variances[c] + norm.epsilon));
    affine.summand.push_back(offsets[c] - means[c] * affine.factor.back());
  }
  int64_t pixels = problem.batch * problem.out_height * problem.out_width;
  float* data = convolution.operands.out;
  auto convolved = Compute<ConvolutionProblem>(exec_ctx, problem, convolution.operands, nullptr,
                                               {&in, &filter, &out});
  if (convolved.IsError() || !problem.has_output()) return convolved;
  if (convolved.IsConcrete()) {
    affine.Apply(data, pixels, norm.relu);
    return convolved;
  }
  return convolved.Map([affine = std::move(affine), data, pixels, relu = norm.relu,
                        memory = out.buffer()](Chain&) mutable {
    affine.Apply(data, pixels, relu);
    memory.reset();  // before anybody hears of the result
    return Chain();
  });
}

StatusOr<PackedFilter> PackFilter(const DenseHostTensor& filter, const TensorShape& in,
                                  const Conv2dWindows& windows, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the filter to pack"));
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry, GeometryOf(in, filter.shape(), windows));
  TFRT_RETURN_IF_ERROR(geometry.OutputShape().status());
  ConvolutionProblem problem = MakeProblem(geometry);
  if (!problem.has_output() || in.num_elements() == 0) {
    return InvalidArgumentError(StrCat("a convolution of an image ", in.ToString(),
                                       " with a filter ", filter.shape().ToString(),
                                       " has no elements to pack the filter for"));
  }
  problem.packed_filter = true;
  TFRT_ASSIGN_OR_RETURN(auto packed, contraction::Contractions::Of(exec_ctx).Pack(
                                         problem, static_cast<const float*>(filter.data()),
                                         static_cast<size_t>(filter.num_elements())));
  return PackedFilter{std::move(packed)};
}

}  // namespace tfrt::maths
