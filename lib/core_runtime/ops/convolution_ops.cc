// Convolutions of images [N,H,W,C] with filters [H,W,C,O], and their gradients.

#include <cstring>

#include "kernel_op.h"
#include "op_groups.h"
#include "op_output.h"
#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/core_runtime/op_registry.h"
#include "tfrt/support/str_cat.h"
#include "tfrt/tensor/dense_integers.h"

namespace tfrt {
namespace {

StatusOr<ImageWindows> ParseChannelsLast(const OpAttrsRef& attrs) {
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseImageWindows(attrs));
  if (!windows.channels_last) return InvalidArgumentError("only channel last order is supported");
  return windows;
}

// The attributes of the kernels tfrt_cpu.conv2d.*.
struct ConvolutionAttributes {
  ConvolutionAttributes(const ImageWindows& windows, const Window2d& window)
      : dilations(windows.dilations),
        padding(std::initializer_list<int64_t>{window.rows.pad_before, window.rows.pad_after,
                                               window.columns.pad_before,
                                               window.columns.pad_after}),
        strides(windows.strides) {}
  EncodedI64s dilations, padding, strides;
};

enum class Tail { kNone, kBias, kBiasAdd };

// Arguments: image, filter, then a bias, then a summand.
template <Tail tail>
Status Convolve(const DenseHostTensor& image, const DenseHostTensor& filter,
                const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  static const AsyncKernel kernel =
      FindCpuKernel(tail == Tail::kNone   ? "tfrt_cpu.conv2d.f32"
                    : tail == Tail::kBias ? "tfrt_cpu.conv2d.bias.f32"
                                          : "tfrt_cpu.conv2d.bias.add.f32");
  if (result.dtype != DType::kF32) {
    return InvalidArgumentError("unsupported dtype for TfConv2DOp");
  }
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseChannelsLast(attrs));
  TFRT_ASSIGN_OR_RETURN(Conv2dGeometry geometry,
                        ConvolutionGeometry(image.shape(), filter.shape(), windows));
  ConvolutionAttributes encoded(windows, geometry.window);
  AsyncValue* const arguments[] = {call.argument(0), call.argument(1),
                                   call.argument(tail == Tail::kNone ? 0 : 2)};
  if constexpr (tail == Tail::kNone) {
    TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
    RunKernel(call, kernel, std::span(arguments).first(2),
              std::initializer_list<const uint8_t*>{encoded.dilations.data(),
                                                    encoded.padding.data(), encoded.strides.data()},
              std::move(out));
  } else {
    const EncodedString none("none");
    const OpAttr* activation = attrs.Find("activation");
    if (activation && !attrs.GetString("activation")) {
      return InvalidArgumentError(
          StrCat("'activation' attribute of ", call.op_name(), " should be a string"));
    }
    const uint8_t* attributes[] = {activation ? activation->data : none.data(),
                                   encoded.dilations.data(), encoded.padding.data(),
                                   encoded.strides.data()};
    if constexpr (tail == Tail::kBias) {
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate(result));
      RunKernel(call, kernel, arguments, attributes, std::move(out));
    } else {
      // The kernel adds to what the output holds.
      const auto& summand = call.argument(3)->get<DenseHostTensor>();
      TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.AllocateOrReuse(result, {3}));
      if (out.data() != summand.data()) TFRT_RETURN_IF_ERROR(summand.CopyTo(out));
      RunKernel(call, kernel, arguments, attributes, std::move(out));
    }
  }
  return OkStatus();
}

Status Conv2D(const DenseHostTensor& image, const DenseHostTensor& filter,
              const TensorMetadata& result, const OpAttrsRef& attrs, OpCall& call) {
  return Convolve<Tail::kNone>(image, filter, result, attrs, call);
}

Status Conv2DBias(const DenseHostTensor& image, const DenseHostTensor& filter,
                  const DenseHostTensor&, const TensorMetadata& result, const OpAttrsRef& attrs,
                  OpCall& call) {
  return Convolve<Tail::kBias>(image, filter, result, attrs, call);
}

Status Conv2DBiasAdd(const DenseHostTensor& image, const DenseHostTensor& filter,
                     const DenseHostTensor&, const DenseHostTensor&, const TensorMetadata& result,
                     const OpAttrsRef& attrs, OpCall& call) {
  return Convolve<Tail::kBiasAdd>(image, filter, result, attrs, call);
}

// What both gradients take of the attributes: neither dilations nor explicit padding.
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

// The gradient of one argument of a convolution, whose shape is argument `sizes`, with a kernel of
// type (gradient of the output, the other argument, out).
Status ConvolutionGradient(OpCall& call, AsyncKernel kernel, size_t sizes, size_t other) {
  const auto& gradient = call.argument(2)->get<DenseHostTensor>();
  TFRT_ASSIGN_OR_RETURN(ImageWindows windows, ParseChannelsLast(call.attrs()));
  TFRT_RETURN_IF_ERROR(CheckGradientWindows(call, windows));
  TFRT_ASSIGN_OR_RETURN(
      TensorShape shape,
      ShapeOfIntegers(call.op_name(), call.argument(sizes)->get<DenseHostTensor>()));
  if (shape.rank() != 4) {
    return InvalidArgumentError(StrCat(call.op_name(), ": the sizes ", shape.ToString(),
                                       " are not those of a tensor of rank 4"));
  }
  if (gradient.dtype() != DType::kF32) {
    return InvalidArgumentError("unsupported dtype for TfConv2DOp");
  }
  TFRT_ASSIGN_OR_RETURN(DenseHostTensor out, call.Allocate({DType::kF32, std::move(shape)}));
  EncodedI64s strides(windows.strides);
  RunKernel(call, kernel, {call.argument(2), call.argument(other)},
            {call.attrs().Find("padding")->data, strides.data()}, std::move(out));
  return OkStatus();
}

Status Conv2DBackpropInput(const DenseHostTensor&, const DenseHostTensor&, const DenseHostTensor&,
                           OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("eigen.conv2d.grad.input.f32");
  return ConvolutionGradient(call, kernel, /*sizes=*/0, /*other=*/1);
}

Status Conv2DBackpropFilter(const DenseHostTensor&, const DenseHostTensor&, const DenseHostTensor&,
                            OpCall& call) {
  static const AsyncKernel kernel = FindCpuKernel("eigen.conv2d.grad.filter.f32");
  return ConvolutionGradient(call, kernel, /*sizes=*/1, /*other=*/0);
}

}  // namespace

void RegisterConvolutionOps(OpRegistry* registry) {
  registry->Implement(
      "tf.Conv2D", {.metadata = TFRT_OP_METADATA(Conv2DOpMetadata), .function = TFRT_OP(Conv2D)});
  registry->Implement("tfrt.Conv2DBias", {.metadata = TFRT_OP_METADATA(Conv2DBiasOpMetadata),
                                          .function = TFRT_OP(Conv2DBias)});
  registry->Implement("tfrt.Conv2DBiasAdd", {.metadata = TFRT_OP_METADATA(Conv2DBiasAddOpMetadata),
                                             .function = TFRT_OP(Conv2DBiasAdd)});
  registry->Implement("tf.Conv2DBackpropInput", {.function = TFRT_OP(Conv2DBackpropInput)});
  registry->Implement("tf.Conv2DBackpropFilter", {.function = TFRT_OP(Conv2DBackpropFilter)});
}

}  // namespace tfrt
