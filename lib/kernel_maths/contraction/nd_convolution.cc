#include "tfrt/kernel_maths/nd_convolution.h"

#include <array>
#include <utility>

#include "contractions.h"
#include "plain_convolution.h"
#include "tfrt/kernel_maths/in_floats.h"
#include "tfrt/kernel_maths/operand_checks.h"
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
                                      const TensorShape& in, const TensorShape& out,
                                      const NdWindowAttributes& windows,
                                      const ExecutionContext& exec_ctx) {
  TFRT_RETURN_IF_ERROR(CheckDType(filter, DType::kF32, "the filter to pack"));
  TFRT_ASSIGN_OR_RETURN(
      ConvolutionProblem problem,
      MakeConvolutionProblem(in, filter.shape(), !windows.channels_last, groups, windows, out));
  problem.packed_filter = true;
  TFRT_ASSIGN_OR_RETURN(auto packed, contraction::Contractions::Of(exec_ctx).Pack(
                                         problem, static_cast<const float*>(filter.data()),
                                         static_cast<size_t>(filter.num_elements())));
  return PackedFilter{std::move(packed)};
}

}  // namespace tfrt::maths
