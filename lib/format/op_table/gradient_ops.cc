// Gradients of activations and of ops that compute with all elements of a row or a channel.

#include "op_families.h"
#include "row_rules.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

constexpr OpArgumentSpec kGeluGrad[] = {{"gradients"}, {"features"}};
constexpr OpArgumentSpec kSoftmaxGrad[] = {{"gradients"}, {"softmax"}};
constexpr OpArgumentSpec kLogSoftmaxGrad[] = {{"gradients"}, {"logsoftmax"}};
constexpr OpArgumentSpec kLayerNormGrad[] = {{"gradients"}, {"x"}, {"scale"}};
constexpr OpArgumentSpec kBatchNormGrad[] = {{"y_backprop"},      {"x"},
                                             {"scale"},           {"reserve_space_1"},
                                             {"reserve_space_2"}, {"reserve_space_3"}};
constexpr std::string_view kLayerNormGradResults[] = {"x_grad", "scale_grad", "offset_grad"};
constexpr std::string_view kBatchNormGradResults[] = {
    "x_backprop", "scale_backprop", "offset_backprop", "reserve_space_4", "reserve_space_5"};
constexpr OpAttrSpec kBatchNormGradAttrs[] = {{"data_format", AttrKind::kString, "\"NHWC\""},
                                              {"epsilon", AttrKind::kF32, "1e-4f"},
                                              {"is_training", AttrKind::kBool, "true"}};

constexpr OpDescription kGradientOps[] = {
    {.name = "batch_norm_grad",
     .summary = "The gradients of batch normalisation with respect to x, scale and offset, and two "
                "empty tensors. reserve_space_1 and reserve_space_2 are its reserve_1 and "
                "reserve_2, in training the mean and the variance of the batch; otherwise they are "
                "numbers that do not depend on x.",
     .arguments = kBatchNormGrad,
     .attrs = kBatchNormGradAttrs,
     .results = kBatchNormGradResults,
     .cost = PerArgumentElement(9),
     .shape = ShapeOf<BatchNormGradRule>,
     .gradient = gradients::BatchNormGrad},
    {.name = "gelu_grad",
     .summary = "The gradient of gelu of `features`: `gradients` times its derivative there.",
     .arguments = kGeluGrad,
     .attrs = kGeluAttrs,
     .results = kBackprops,
     .may_overwrite = 0b11,
     .cost = PerArgumentElement(kFlopsOfErf + kFlopsOfExp + 6),
     .shape = ShapeOf<ActivationGradRule>,
     .gradient = gradients::GeluGrad},
    {.name = "softmax_grad",
     .summary = "The gradient of the softmax, whose result is `softmax`: `(gradients - "
                "sum(gradients * softmax)) * softmax` over the last dimension.",
     .arguments = kSoftmaxGrad,
     .results = kBackprops,
     .may_overwrite = 0b11,
     .cost = PerArgumentElement(4),
     .shape = ShapeOf<SoftmaxGradRule>,
     .gradient = gradients::SoftmaxGrad},
    {.name = "log_softmax_grad",
     .summary = "The gradient of the log softmax, whose result is `logsoftmax`: `gradients - "
                "exp(logsoftmax) * sum(gradients)` over the last dimension.",
     .arguments = kLogSoftmaxGrad,
     .results = kBackprops,
     .may_overwrite = 0b11,
     .cost = PerArgumentElement(kFlopsOfExp + 3),
     .shape = ShapeOf<SoftmaxGradRule>,
     .gradient = gradients::LogSoftmaxGrad},
    {.name = "layer_norm_grad",
     .summary = "The gradients of layer normalisation of `x` with respect to x, scale and offset.",
     .arguments = kLayerNormGrad,
     .attrs = kLayerNormAttrs,
     .results = kLayerNormGradResults,
     .cost = PerArgumentElement(15),
     .shape = ShapeOf<LayerNormGradRule>,
     .gradient = gradients::LayerNormGrad},
};

constexpr OpSpelling kGradientSpellings[] = {
    {"tf.FusedBatchNormGradV3", "batch_norm_grad"}, {"tfrt.GeluGrad", "gelu_grad"},
    {"tfrt.SoftmaxGrad", "softmax_grad"},           {"tfrt.LogSoftmaxGrad", "log_softmax_grad"},
    {"tfrt.LayerNormGrad", "layer_norm_grad"},
};

}  // namespace

OpFamily GradientOps() { return {kGradientOps, kGradientSpellings}; }

}  // namespace tfrt
