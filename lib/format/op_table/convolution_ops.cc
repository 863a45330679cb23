// Convolutions of images [N,H,W,C] with filters [H,W,C,O], and their gradients.

#include "image_window_rules.h"
#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// Gives the result the shape that the argument `sizes` lists, and the element type of the output's
// gradient.
template <size_t sizes>
Status GradientShape(const OpShapeCall& call, std::span<ValueType> results) {
  const ValueType& wanted = call.argument(sizes);
  results[0] = {call.argument(2).dtype, SymbolicShape::OfRank(4)};
  if (NumElementsOf(wanted).Contradicts(4)) {
    return ShapeError(call, "the sizes are not those of a tensor of rank 4");
  }
  if (wanted.elements) results[0].shape = SymbolicShape(*wanted.elements);
  return OkStatus();
}

constexpr OpArgumentSpec kConv2D[] = {{"input"}, {"filter"}};
constexpr OpArgumentSpec kConv2DBias[] = {{"input"}, {"filter"}, {"bias"}};
constexpr OpArgumentSpec kConv2DBiasAdd[] = {{"input"}, {"filter"}, {"bias"}, {"summand"}};
constexpr OpArgumentSpec kInputGradient[] = {
    HostArgument("input_sizes"), {"filter"}, {"out_backprop"}};
constexpr OpArgumentSpec kFilterGradient[] = {
    {"input"}, HostArgument("filter_sizes"), {"out_backprop"}};
constexpr OpAttrSpec kWithActivation[] = {{"activation", AttrKind::kString, "\"none\""},
                                          {"data_format", AttrKind::kString, "\"NHWC\""},
                                          {"dilations", AttrKind::kI64Array, "{1, 1, 1, 1}"},
                                          {"explicit_paddings", AttrKind::kI64Array, "{}"},
                                          {"padding", AttrKind::kString},
                                          {"strides", AttrKind::kI64Array, "{1, 1, 1, 1}"}};
constexpr std::span<const OpAttrSpec> kWindowAttrs = std::span(kWithActivation).subspan(1);

constexpr OpCostFormula Cost(uint8_t filter, uint8_t images) {
  return {OpCostFormula::Kind::kConvolution, 0, filter, images};
}
constexpr uint8_t kResult = OpCostFormula::kResult;

constexpr OpDescription kConvolutionOps[] = {
    {.name = "conv2d",
     .summary = "The convolution of images [N,H,W,C] with a filter [H,W,C,O].",
     .arguments = kConv2D,
     .attrs = kWindowAttrs,
     .results = kOutput,
     .cost = Cost(1, kResult),
     .shape = ShapeOf<Conv2DRule>,
     .gradient = gradients::Conv2D},
    {.name = "conv2d_bias",
     .summary = "`activation(convolution + bias)`; the activation is none, relu, gelu, gelu_tanh, "
                "tanh or sigmoid.",
     .arguments = kConv2DBias,
     .attrs = kWithActivation,
     .results = kOutput,
     .cost = Cost(1, kResult),
     .shape = ShapeOf<Conv2DBiasRule>,
     .gradient = gradients::Conv2DBias},
    {.name = "conv2d_bias_add",
     .summary = "`activation(convolution + bias + summand)`, as residual networks have it; in the "
                "memory of the summand if nobody else needs it.",
     .arguments = kConv2DBiasAdd,
     .attrs = kWithActivation,
     .results = kOutput,
     .may_overwrite = 0b1000,
     .cost = Cost(1, kResult),
     .shape = ShapeOf<Conv2DBiasAddRule>,
     .gradient = gradients::Conv2DBiasAdd},
    {.name = "conv2d_input_grad",
     .summary = "The gradient of a convolution with respect to its images, of the shape "
                "`input_sizes`.",
     .arguments = kInputGradient,
     .attrs = kWindowAttrs,
     .results = kOutput,
     .cost = Cost(1, 2),
     .shape = GradientShape<0>,
     .gradient = gradients::ConvInputGrad},
    {.name = "conv2d_filter_grad",
     .summary = "The gradient of a convolution with respect to its filter, of the shape "
                "`filter_sizes`.",
     .arguments = kFilterGradient,
     .attrs = kWindowAttrs,
     .results = kOutput,
     .cost = Cost(kResult, 2),
     .shape = GradientShape<1>,
     .gradient = gradients::ConvFilterGrad},
};

constexpr OpSpelling kConvolutionSpellings[] = {
    {"tf.Conv2D", "conv2d"},
    {"tfrt.Conv2DBias", "conv2d_bias"},
    {"tfrt.Conv2DBiasAdd", "conv2d_bias_add"},
    {"tf.Conv2DBackpropInput", "conv2d_input_grad"},
    {"tf.Conv2DBackpropFilter", "conv2d_filter_grad"},
};

}  // namespace

OpFamily ConvolutionOps() { return {kConvolutionOps, kConvolutionSpellings}; }

}  // namespace tfrt
