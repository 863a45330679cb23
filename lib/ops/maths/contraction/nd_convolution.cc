#include "nd_convolution.h"

#include <algorithm>
#include <array>
#include <utility>

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

// How a problem's filter lies. That of a packed one says what it was packed for.
TensorShape FilterShape(const ConvolutionProblem& p, size_t num_spatial) {
  const std::array<int64_t, 3> sizes = {p.filter_depth, p.filter_height, p.filter_width};
  std::vector<int64_t> dims(sizes.end() - static_cast<ptrdiff_t>(num_spatial), sizes.end());
  if (p.filter_first) {
    dims.insert(dims.begin(), {p.out_channels, p.group_inputs()});
  } else {
    dims.insert(dims.end(), {p.group_inputs(), p.out_channels});
  }
  return *TensorShape::Create(dims);
}

Completion ConvOfFloats(const DenseHostTensor& in, const FilterOperand& filter, int64_t groups,
                        const NdWindowAttributes& windows, const ConvTail& tail,
                        DenseHostTensor& out, const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(in, DType::kF32, "the convolution input"));
  if (in.shape().rank() < 3) {
    return InvalidArgumentError(StrCat("the convolution input has the shape ",
                                       in.shape().ToString(), ", expected rank 3 or more"));
  }
  TensorShape filter_shape;
  Operands operands;
  bool filter_first = !windows.channels_last;
  if (filter.packed) {
    const ConvolutionProblem& packed = filter.packed->state->problem();
    filter_first = packed.filter_first;
    if (packed.groups != groups) {
      return InvalidArgumentError(StrCat("the filter is packed for ", packed.groups,
                                         " groups, but the convolution has ", groups));
    }
    filter_shape = FilterShape(packed, std::min<size_t>(in.shape().rank() - 2, 3));
  } else {
    TFRT_RETURN_IF_ERROR(CheckDType(*filter.plain, DType::kF32, "the convolution filter"));
    filter_shape = filter.plain->shape();
    operands.b = static_cast<const float*>(filter.plain->data());
  }
  TFRT_ASSIGN_OR_RETURN(
      ConvolutionProblem problem,
      MakeConvolutionProblem(in.shape(), filter_shape, filter_first, groups, windows, out.shape()));
  problem.packed_filter = filter.packed != nullptr;
  problem.beta = tail.add_to_output ? 1 : 0;
  problem.activation = tail.activation.kind;
  problem.activation_alpha = tail.activation.alpha;
  problem.activation_beta = tail.activation.beta;
  if (tail.bias) {
    TFRT_ASSIGN_OR_RETURN(operands.bias,
                          VectorOf("conv", *tail.bias, problem.out_channels, "bias"));
    problem.has_bias = true;
  }
  TFRT_ASSIGN_OR_RETURN(auto view, MutableDenseView<float>::Create(out, "the convolution output"));
  TFRT_RETURN_IF_ERROR(CheckApart("conv", out, {&in}));
  operands.a = static_cast<const float*>(in.data());
  operands.out = view.data();
  return Compute<ConvolutionProblem>(exec_ctx, problem, operands,
                                     filter.packed ? &filter.packed->state : nullptr,
                                     {&in, filter.plain, tail.bias, &out});
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

}  // namespace

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
  TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the filter to pack"));
  TFRT_ASSIGN_OR_RETURN(ImageShapes shapes,
                        ImagesFor(filter.shape(), groups, input_shape, windows));
  TFRT_ASSIGN_OR_RETURN(ConvolutionProblem problem,
                        MakeConvolutionProblem(shapes.in, filter.shape(), !windows.channels_last,
                                               groups, windows, shapes.out));
  problem.packed_filter = true;
  TFRT_ASSIGN_OR_RETURN(auto packed, contraction::Contractions::Of(exec_ctx).Pack(
                                         problem, static_cast<const float*>(filter.data()),
                                         static_cast<size_t>(filter.num_elements())));
  return PackedFilter{std::move(packed)};
}

}  // namespace tfrt::maths
