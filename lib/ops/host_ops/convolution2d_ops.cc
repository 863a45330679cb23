// Convolutions of images [N,H,W,C] with filters [H,W,C,O], and their gradients.

#include <span>
#include <string_view>

#include "image_windows.h"
#include "lib/ops/maths/contraction/convolution.h"
#include "lib/ops/maths/tensor/conv_gradients.h"
#include "lib/runtime/tensor/dense_integers.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {
namespace {

// Into the result `out`, which the tail may add to.
Status Convolve(OpCall& call, const DenseHostTensor& image, const DenseHostTensor& filter,
                const ImageWindows& windows, const maths::ConvTail& tail, DenseHostTensor out) {
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                        ConvolutionGeometry(image.shape(), filter.shape(), windows));
  maths::Completion done = maths::Conv2d(geometry, image, filter, tail, out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

StatusOr<ImageWindows> ConvolutionWindows(const OpCall& call, const TensorMetadata& result) {
  if (result.dtype != DType::kF32) {
    return InvalidArgumentError("unsupported dtype for TfConv2DOp");
  }
  return ParsedAttrs<&ParseChannelsLast>(call);
}

Status Conv2D(const DenseHostTensor& image, const DenseHostTensor& filter,
              const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ConvolutionWindows(call, result));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  return Convolve(call, image, filter, windows, {}, std::move(out));
}

Status Conv2DBias(const DenseHostTensor& image, const DenseHostTensor& filter,
                  const DenseHostTensor& bias, const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ConvolutionWindows(call, result));
  maths::ConvTail tail{&bias};
  TFRT_ASSIGN_OR_RETURN(tail.activation.kind, ActivationOf(call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
  return Convolve(call, image, filter, windows, tail, std::move(out));
}

Status Conv2DBiasAdd(const DenseHostTensor& image, const DenseHostTensor& filter,
                     const DenseHostTensor& bias, const DenseHostTensor& summand,
                     const TensorMetadata& result, OpCall& call) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ConvolutionWindows(call, result));
  maths::ConvTail tail{&bias, /*add_to_output=*/true};
  TFRT_ASSIGN_OR_RETURN(tail.activation.kind, ActivationOf(call));
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result));
  if (out.data() != summand.data()) TFRT_RETURN_IF_ERROR(summand.CopyTo(out));
  return Convolve(call, image, filter, windows, tail, std::move(out));
}

// Fails with attributes that neither gradient supports: dilations and explicit padding.
Status CheckGradientWindows(const OpCall& call, const ImageWindows& windows) {
  if (windows.dilations[0] != 1 || windows.dilations[1] != 1) {
    return InvalidArgumentError(StrCat(call.op_name(), " does not support dilations, but got ",
                                       windows.dilations[0], " and ", windows.dilations[1]));
  }
  if (windows.is_explicit) {
    return InvalidArgumentError(StrCat(call.op_name(), " does not support explicit padding"));
  }
  return OkStatus();
}

using GradientFunction = maths::Completion (*)(
    const DenseHostTensor& output_grad, const DenseHostTensor& other, std::string_view padding,
    std::span<const int64_t> strides, DenseHostTensor& out, const ExecutionContext& exec_ctx);

// The gradient of one argument of a convolution, whose shape is `sizes`, from the other argument.
Status ConvolutionGradient(OpCall& call, GradientFunction function, const DenseHostTensor& gradient,
                           const DenseHostTensor& sizes, const DenseHostTensor& other) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParsedAttrs<&ParseChannelsLast>(call));
  TFRT_RETURN_IF_ERROR(CheckGradientWindows(call, windows));
  TFRT_ASSIGN_OR_RETURN(TensorShape shape, ShapeOfIntegers(sizes));
  if (shape.rank() != 4) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the sizes ", shape.ToString(),
                                       " are not those of a tensor of rank 4"));
  }
  if (gradient.dtype() != DType::kF32) {
    return InvalidArgumentError("unsupported dtype for TfConv2DOp");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kF32, std::move(shape)}));
  maths::Completion done =
      function(gradient, other, *call.attrs().GetString("padding"),
               std::span<const int64_t>(windows.strides), out, call.exec_ctx());
  return SetResultAfter(call, 0, std::move(out), std::move(done));
}

Status Conv2DBackpropInput(const DenseHostTensor& sizes, const DenseHostTensor& filter,
                           const DenseHostTensor& gradient, OpCall& call) {
  return ConvolutionGradient(call, maths::Conv2dInputGrad, gradient, sizes, filter);
}

Status Conv2DBackpropFilter(const DenseHostTensor& image, const DenseHostTensor& sizes,
                            const DenseHostTensor& gradient, OpCall& call) {
  return ConvolutionGradient(call, maths::Conv2dFilterGrad, gradient, sizes, image);
}

}  // namespace

void RegisterConvolution2dOps(OpRegistry* registry) {
  registry->Implement("graph.conv2d",
                      {.function = TFRT_OP(Conv2D), .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
  registry->Implement("graph.conv2d_bias", {.function = TFRT_OP(Conv2DBias),
                                            .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
  registry->Implement("graph.conv2d_bias_add", {.function = TFRT_OP(Conv2DBiasAdd),
                                                .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
  registry->Implement("graph.conv2d_input_grad", {.function = TFRT_OP(Conv2DBackpropInput),
                                                  .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
  registry->Implement("graph.conv2d_filter_grad", {.function = TFRT_OP(Conv2DBackpropFilter),
                                                   .parser = TFRT_OP_ATTRS(ParseChannelsLast)});
}

}  // namespace tfrt
