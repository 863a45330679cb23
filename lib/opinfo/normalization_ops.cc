// Softmax, normalisation and biases.

#include "op_families.h"
#include "shape_rules.h"
#include "tfrt/opinfo/elementwise_rules.h"
#include "tfrt/opinfo/row_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

constexpr OpArgumentSpec kLogits[] = {{"logits"}};
constexpr OpArgumentSpec kBiasAdd[] = {{"value"}, {"bias"}};
constexpr OpArgumentSpec kBatchNormEx[] = {
    {"x"},    {"scale"},    {"offset"},
    {"mean"}, {"variance"}, {"side_input", OpArgumentSpec::Kind::kVariadic}};
constexpr std::span<const OpArgumentSpec> kBatchNorm = std::span(kBatchNormEx).first(5);
constexpr std::span<const OpArgumentSpec> kLayerNorm = std::span(kBatchNormEx).first(3);
constexpr std::string_view kSoftmax[] = {"softmax"};
constexpr std::string_view kLogSoftmax[] = {"logsoftmax"};
constexpr std::string_view kOutput[] = {"output"};
constexpr std::string_view kY[] = {"y"};
constexpr std::string_view kBatchNormResults[] = {"y",         "batch_mean", "batch_variance",
                                                  "reserve_1", "reserve_2",  "reserve_3"};
constexpr OpAttrSpec kBiasAttrs[] = {{"data_format", AttrKind::kString, "\"NHWC\""}};
constexpr OpAttrSpec kBatchNormAttrs[] = {{"data_format", AttrKind::kString, "\"NHWC\""},
                                          {"epsilon", AttrKind::kF32, "1e-4f"},
                                          {"exponential_avg_factor", AttrKind::kF32, "1.0f"},
                                          {"is_training", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kLayerNormAttrs[] = {{"epsilon", AttrKind::kF32, "1e-5f"}};

constexpr OpDescription kOps[] = {
    {.name = "softmax",
     .summary = "`exp(x) / sum(exp(x))` over the last dimension.",
     .arguments = kLogits,
     .results = kSoftmax,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = ShapeOf<SoftmaxRule>},
    {.name = "log_softmax",
     .summary = "The logarithm of the softmax.",
     .arguments = kLogits,
     .results = kLogSoftmax,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = ShapeOf<SoftmaxRule>},
    {.name = "bias_add",
     .summary = "`value + bias`, of the size of the last dimension.",
     .arguments = kBiasAdd,
     .attrs = kBiasAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsScalar,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<BiasAddRule>},
    {.name = "batch_norm",
     .summary =
         "`(x - mean) / sqrt(variance + epsilon) * scale + offset`, one of each per channel, [C] "
         "or "
         "[1,1,1,C]; the other results are mean, variance, mean, variance and an empty tensor. In "
         "training with the mean and the variance of the batch, which are reserve_1 and reserve_2; "
         "batch_mean and batch_variance are `(1 - f) * mean + f * m` and `(1 - f) * variance + f * "
         "v` with the factor f, the batch's mean m and its variance v, divided by its size less 1; "
         "with the factor 1 mean and variance may be empty.",
     .arguments = kBatchNorm,
     .attrs = kBatchNormAttrs,
     .results = kBatchNormResults,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(2),
     .shape = ShapeOf<BatchNormRule>},
    {.name = "fused_batch_norm",
     .summary = "Batch normalisation with an activation; the host has no such op.",
     .arguments = kBatchNormEx,
     .attrs = kBatchNormAttrs,
     .results = kBatchNormResults,
     .cost = PerArgumentElement(2),
     .shape = ShapeOf<BatchNormRule>},
    {.name = "layer_norm",
     .summary = "`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the "
                "variance over the last dimension.",
     .arguments = kLayerNorm,
     .attrs = kLayerNormAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(7),
     .shape = ShapeOf<LayerNormRule>},
};

constexpr OpSpelling kSpellings[] = {
    {"tf.Softmax", "softmax"},
    {"tf.LogSoftmax", "log_softmax"},
    {"tf.BiasAdd", "bias_add"},
    {"tf.FusedBatchNormV3", "batch_norm"},
    {"tf._FusedBatchNormEx", "fused_batch_norm"},
    {"tfrt.LayerNorm", "layer_norm"},
};

}  // namespace

OpFamily NormalizationOps() { return {kOps, kSpellings}; }

}  // namespace tfrt
