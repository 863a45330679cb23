#include "convolution.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "contractions.h"
#include "in_floats.h"
#include "lib/ops/maths/tensor/operand_checks.h"
#include "plain_convolution.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_view.h"

namespace tfrt::maths {
namespace {

using contraction::Compute;
using contraction::ConvolutionProblem;
using contraction::Operands;

constexpr std::string_view kInput = "the convolution input";
constexpr std::string_view kFilter = "the convolution filter";

Completion RunProblem(ConvolutionProblem problem, const DenseHostTensor& in,
                      const FilterOperand& filter, const ConvTail& tail, DenseHostTensor& out,
                      const ExecutionContext& exec_ctx) {
  problem.packed_filter = filter.packed != nullptr;
  problem.in_bf16 = filter.packed && filter.packed->state->problem().in_bf16;
  problem.beta = tail.add_to_output ? 1 : 0;
  problem.activation = tail.activation.kind;
  problem.activation_alpha = tail.activation.alpha;
  problem.activation_beta = tail.activation.beta;
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, "the convolution output"));
  Operands operands{.a = static_cast<const float*>(in.data()), .out = view.data()};
  if (filter.plain) operands.b = static_cast<const float*>(filter.plain->data());
  if (tail.bias) {
    TFRT_ASSIGN_OR_RETURN(operands.bias,
                          VectorOf("conv", *tail.bias, problem.out_channels, "bias"));
    problem.has_bias = true;
  }
  for (const DenseHostTensor* input : {&in, filter.plain, tail.bias}) {
    if (input && Overlap(*input, out)) {
      return InvalidArgumentError("the convolution output shares memory with an input");
    }
  }
  return Compute<ConvolutionProblem>(exec_ctx, problem, operands,
                                     filter.packed ? &filter.packed->state : nullptr,
                                     {&in, filter.plain, tail.bias, &out});
}

Completion ConvOfFloats(const DenseHostTensor& in, const FilterOperand& filter, int64_t groups,
                        const NdWindowAttributes& windows, const ConvTail& tail,
                        DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, kInput));
  if (in.shape().rank() < 3) {
    return InvalidArgumentError(
        StrCat(kInput, " has the shape ", in.shape().ToString(), ", expected rank 3 or more"));
  }
  bool filter_first = !windows.channels_last;
  if (filter.packed) {
    const ConvolutionProblem& packed = filter.packed->state->problem();
    filter_first = packed.filter_first;
    if (packed.groups != groups) {
      return InvalidArgumentError(StrCat("the filter is packed for ", packed.groups,
                                         " groups, but the convolution has ", groups));
    }
  } else {
    TFRT_RETURN_IF_ERROR(CheckDType(*filter.plain, DType::kF32, kFilter));
  }
  TFRT_ASSIGN_OR_RETURN(
      ConvolutionProblem problem,
      MakeConvolutionProblem(in.shape(), filter.Shape(std::min<size_t>(in.shape().rank() - 2, 3)),
                             filter_first, groups, windows, out.shape()));
  return RunProblem(problem, in, filter, tail, out, exec_ctx);
}

// A filter of `problem` packed.
StatusOr<PackedFilter> PackFor(ConvolutionProblem problem, const DenseHostTensor& filter,
                               const ExecutionContext& exec_ctx) {
  problem.packed_filter = true;
  TFRT_ASSIGN_OR_RETURN(auto packed, contraction::PackTensor(problem, filter, exec_ctx));
  return PackedFilter{std::move(packed)};
}

struct ImageShapes {
  TensorShape in, out;
};
// Returns the images of a convolution with such a filter. Unknown sizes are replaced by arbitrary
// ones.
StatusOr<ImageShapes> ImagesFor(const TensorShape& filter, int64_t groups,
                                std::span<const int64_t> input_shape,
                                const NdWindowAttributes& windows) {
  const size_t rank = filter.rank();
  const bool last = windows.channels_last;
  if (rank < 3 || (!input_shape.empty() && input_shape.size() != rank)) {
    return InvalidArgumentError(StrCat("a filter ", filter.ToString(), " is not for images of ",
                                       input_shape.size(), " dimensions"));
  }
  std::vector<int64_t> in(rank, -1), out(rank);
  if (!input_shape.empty()) in.assign(input_shape.begin(), input_shape.end());
  if (in[0] < 1) in[0] = 1;
  out[0] = in[0];
  const size_t channels = last ? rank - 1 : 1;
  in[channels] = filter.dim(last ? rank - 2 : 1) * groups;
  out[channels] = filter.dim(last ? rank - 1 : 0);
  constexpr int64_t kSomeWindows = 28;
  const size_t num_spatial = rank - 2;
  auto number = [](std::span<const int64_t> numbers, size_t i, int64_t otherwise) {
    return i < numbers.size() ? numbers[i] : otherwise;
  };
  constexpr int64_t kLargest = int64_t{1} << 31;
  for (size_t i = 0; i < num_spatial; ++i) {
    const size_t at = i + (last ? 1 : 2);
    for (int64_t each : {number(windows.strides, i, 1), number(windows.dilations, i, 1),
                         number(windows.pads, i, 0), number(windows.pads, num_spatial + i, 0),
                         filter.dim(last ? i : 2 + i), in[at]}) {
      if (each > kLargest || each < -kLargest) {
        return InvalidArgumentError(StrCat("a convolution with the number ", each));
      }
    }
    const int64_t stride = std::max<int64_t>(number(windows.strides, i, 1), 1);
    const int64_t extent = (filter.dim(last ? i : 2 + i) - 1) * number(windows.dilations, i, 1) + 1;
    const int64_t pads = number(windows.pads, i, 0) + number(windows.pads, num_spatial + i, 0);
    if (windows.padding != "explicit") {
      if (in[at] < 1) in[at] = kSomeWindows * stride;
      out[at] = (in[at] + stride - 1) / stride;
    } else {
      if (in[at] + pads < extent || in[at] < 1) {
        in[at] = std::max<int64_t>((kSomeWindows - 1) * stride + extent - pads, 1);
      }
      out[at] = (in[at] + pads - extent) / stride + 1;
    }
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape in_shape, TensorShape::Create(in));
  TFRT_ASSIGN_OR_RETURN(TensorShape out_shape, TensorShape::Create(out));
  return ImageShapes{std::move(in_shape), std::move(out_shape)};
}

ConvolutionProblem Conv2dProblem(const Conv2dGeometry& geometry) {
  NdWindows windows{.channels_last = true,
                    .num_spatial = 2,
                    .batch = geometry.batch,
                    .channels = geometry.input_channels,
                    .dims = {WindowDimension{.input = 1, .output = 1}, geometry.window.rows,
                             geometry.window.columns}};
  return ProblemOf(windows, /*filter_first=*/false, /*groups=*/1, geometry.output_channels);
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

}  // namespace

TensorShape FilterOperand::Shape(size_t num_spatial) const {
  if (plain) return plain->shape();
  const ConvolutionProblem& p = packed->state->problem();
  const std::array<int64_t, 3> sizes = {p.filter_depth, p.filter_height, p.filter_width};
  std::vector<int64_t> dims(sizes.end() - static_cast<ptrdiff_t>(num_spatial), sizes.end());
  if (p.filter_first) {
    dims.insert(dims.begin(), {p.out_channels, p.group_inputs()});
  } else {
    dims.insert(dims.end(), {p.group_inputs(), p.out_channels});
  }
  return *TensorShape::Create(dims);
}

Completion Conv(const DenseHostTensor& in, const FilterOperand& filter, int64_t groups,
                const NdWindowAttributes& windows, const ConvTail& tail, DenseHostTensor& out,
                const ExecutionContext& exec_ctx) {
  if (out.dtype() == DType::kF32) {
    return ConvOfFloats(in, filter, groups, windows, tail, out, exec_ctx);
  }
  if (IsHalf(out.dtype()) && !filter.packed) {
    return ComputeInFloats(
        {&in, filter.plain, tail.bias}, out, tail.add_to_output, exec_ctx,
        [&](std::span<const DenseHostTensor* const> inputs, DenseHostTensor& floats) {
          ConvTail in_floats = tail;
          in_floats.bias = inputs[2];
          return ConvOfFloats(*inputs[0], *inputs[1], groups, windows, in_floats, floats, exec_ctx);
        });
  }
  if (filter.packed || tail.add_to_output || tail.activation.kind != Activation::kNone) {
    return InvalidArgumentError(
        StrCat("packed filters, addends and activations of convolutions "
               "are not supported for ",
               DTypeName(out.dtype())));
  }
  TFRT_ASSIGN_OR_RETURN(
      ConvolutionProblem problem,
      MakeConvolutionProblem(in.shape(), filter.plain->shape(), !windows.channels_last, groups,
                             windows, out.shape()));
  return PlainConvolution(problem, in, *filter.plain, tail.bias, out, exec_ctx);
}

StatusOr<PackedFilter> PackConvFilter(const DenseHostTensor& filter, int64_t groups,
                                      std::span<const int64_t> input_shape,
                                      const NdWindowAttributes& windows,
                                      const ExecutionContext& exec_ctx) {
  if (!IsHalf(filter.dtype())) {
    TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the filter to pack"));
  }
  TFRT_ASSIGN_OR_RETURN(ImageShapes shapes,
                        ImagesFor(filter.shape(), groups, input_shape, windows));
  TFRT_ASSIGN_OR_RETURN(ConvolutionProblem problem,
                        MakeConvolutionProblem(shapes.in, filter.shape(), !windows.channels_last,
                                               groups, windows, shapes.out));
  return PackFor(problem, filter, exec_ctx);
}

Completion Conv2d(const Conv2dGeometry& geometry, const DenseHostTensor& in,
                  const FilterOperand& filter, const ConvTail& tail, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, kInput));
  if (filter.plain) TFRT_RETURN_IF_ERROR(CheckDType(*filter.plain, DType::kF32, kFilter));
  if (tail.bias) {
    TFRT_RETURN_IF_ERROR(ChannelValues(*tail.bias, "bias", geometry.output_channels).status());
  }
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, geometry.OutputShape());
  TFRT_RETURN_IF_ERROR(
      CheckShapesMatch("output tensor shape", out.shape(), "computed output shape", shape));
  return RunProblem(Conv2dProblem(geometry), in, filter, tail, out, exec_ctx);
}

Completion Conv2d(const Conv2dGeometry& geometry, const DenseHostTensor& in,
                  const DenseHostTensor& filter, const Conv2dBatchNorm& norm, DenseHostTensor& out,
                  const ExecutionContext& exec_ctx) {
  const int64_t channels = geometry.output_channels;
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
  TFRT_ASSIGN_OR_RETURN(auto convolved, Conv2d(geometry, in, filter, ConvTail(), out, exec_ctx));
  if (convolved.IsError() || out.num_elements() == 0) return convolved;
  const int64_t pixels = out.num_elements() / channels;
  TFRT_ASSIGN_OR_RETURN(void* memory_of_out, out.MutableData());
  auto* data = static_cast<float*>(memory_of_out);
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

StatusOr<PackedFilter> PackConv2dFilter(const Conv2dGeometry& geometry,
                                        const DenseHostTensor& filter,
                                        const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the filter to pack"));
  TFRT_ASSIGN_OR_RETURN(TensorShape out, geometry.OutputShape());
  const ConvolutionProblem problem = Conv2dProblem(geometry);
  if (out.num_elements() == 0 || !problem.has_products()) {
    const int64_t in[] = {problem.batch, problem.in_height, problem.in_width, problem.in_channels};
    return InvalidArgumentError(StrCat("a convolution of an image ", DimsToString(in),
                                       " with a filter ", filter.shape().ToString(),
                                       " has no elements to pack the filter for"));
  }
  return PackFor(problem, filter, exec_ctx);
}

}  // namespace tfrt::maths
