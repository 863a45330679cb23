// Softmax, normalisation and biases.

#include "elementwise_rules.h"
#include "op_families.h"
#include "row_rules.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// Arguments: x [N,C,...], or [N,...,C], and a scale and perhaps an offset for each of C channels,
// which are the last dimension with `always_last`.
template <bool always_last>
Status ChannelNormShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0] = {call.argument(0).dtype, call.argument(0).shape};
  Dim channels;
  for (size_t i = 1; i < call.num_arguments(); ++i) {
    const ValueType& vector = call.argument(i);
    TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, results[0].dtype, vector.dtype));
    TFRT_ASSIGN_OR_RETURN(SymbolicShape shape,
                          OfRank(call, vector.shape, 1, i == 1 ? "the scale" : "the offset"));
    TFRT_ASSIGN_OR_RETURN(channels, UnifyDims(call, channels, shape.dim(0)));
  }
  if (!results[0].shape.has_rank()) return OkStatus();
  const size_t rank = results[0].shape.rank();
  if (rank < (always_last ? 1 : 2)) {
    return ShapeError(call, "the input has the shape ", results[0].shape.ToString(),
                      ", which has no channels");
  }
  bool last = always_last;
  if (!always_last) {
    TFRT_ASSIGN_OR_RETURN(last, call.Attr<bool>("channels_last"));
  }
  std::vector<Dim> dims(results[0].shape.dims().begin(), results[0].shape.dims().end());
  Dim& size = dims[last ? rank - 1 : 1];
  TFRT_ASSIGN_OR_RETURN(size, UnifyDims(call, size, channels));
  results[0].shape = SymbolicShape(std::move(dims));
  return OkStatus();
}

Status GroupNormShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(ChannelNormShape<false>(call, results));
  TFRT_ASSIGN_OR_RETURN(int64_t groups, call.Attr<int64_t>("groups"));
  if (groups < 1) return ShapeError(call, "there are ", groups, " groups");
  TFRT_ASSIGN_OR_RETURN(bool last, call.Attr<bool>("channels_last"));
  const SymbolicShape& shape = results[0].shape;
  if (!shape.has_rank()) return OkStatus();
  Dim channels = shape.dim(last ? shape.rank() - 1 : 1);
  if (!channels.is_known() || channels.value() % groups == 0) return OkStatus();
  return ShapeError(call, channels.value(), " channels are not in ", groups, " groups");
}

constexpr OpArgumentSpec kLogits[] = {{"logits"}};
constexpr OpArgumentSpec kBiasAdd[] = {{"value"}, {"bias"}};
constexpr OpArgumentSpec kBatchNormEx[] = {
    {"x"},    {"scale"},    {"offset"},
    {"mean"}, {"variance"}, {"side_input", OpArgumentSpec::Kind::kVariadic}};
constexpr std::span<const OpArgumentSpec> kBatchNorm = std::span(kBatchNormEx).first(5);
constexpr std::span<const OpArgumentSpec> kLayerNorm = std::span(kBatchNormEx).first(3);
constexpr std::string_view kSoftmaxResults[] = {"softmax"};
constexpr std::string_view kLogSoftmaxResults[] = {"logsoftmax"};
constexpr std::string_view kBatchNormResults[] = {"y",         "batch_mean", "batch_variance",
                                                  "reserve_1", "reserve_2",  "reserve_3"};
constexpr OpAttrSpec kBatchNormAttrs[] = {{"data_format", AttrKind::kString, "\"NHWC\""},
                                          {"epsilon", AttrKind::kF32, "1e-4f"},
                                          {"exponential_avg_factor", AttrKind::kF32, "1.0f"},
                                          {"is_training", AttrKind::kBool, "false"}};

constexpr OpAttrSpec kChannelsLast = {"channels_last", AttrKind::kBool, "false"};
constexpr OpAttrSpec kEpsilon = {"epsilon", AttrKind::kF32, "1e-5f"};
constexpr OpAttrSpec kInstanceNormAttrs[] = {kChannelsLast, kEpsilon};
constexpr OpAttrSpec kGroupNormAttrs[] = {kChannelsLast, kEpsilon, {"groups", AttrKind::kI64}};
constexpr OpAttrSpec kLrnAttrs[] = {{"alpha", AttrKind::kF32, "1e-4f"},
                                    {"beta", AttrKind::kF32, "0.75f"},
                                    {"bias", AttrKind::kF32, "1"},
                                    kChannelsLast,
                                    {"size", AttrKind::kI64}};

constexpr OpDescription kNormalizationOps[] = {
    {.name = "softmax",
     .summary = "`exp(x) / sum(exp(x))` over the last dimension.",
     .arguments = kLogits,
     .results = kSoftmaxResults,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = ShapeOf<SoftmaxRule>,
     .gradient = gradients::Softmax},
    {.name = "log_softmax",
     .summary = "The logarithm of the softmax.",
     .arguments = kLogits,
     .results = kLogSoftmaxResults,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = ShapeOf<SoftmaxRule>,
     .gradient = gradients::LogSoftmax},
    {.name = "hardmax",
     .summary = "1 where the largest element of the last dimension is, the first of several, and 0 "
                "elsewhere.",
     .arguments = kLogits,
     .results = kOutput,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<SoftmaxRule>,
     .gradient = gradients::Flat},
    {.name = "bias_add",
     .summary = "`value + bias`, of the size of the last dimension.",
     .arguments = kBiasAdd,
     .attrs = kBiasAddAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsScalar,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(1),
     .shape = ShapeOf<BiasAddRule>,
     .gradient = gradients::BiasAdd},
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
     .shape = ShapeOf<BatchNormRule>,
     .gradient = gradients::BatchNorm},
    {.name = "fused_batch_norm",
     .summary = "Batch normalisation with an activation; the host has no such op.",
     .arguments = kBatchNormEx,
     .attrs = kBatchNormAttrs,
     .results = kBatchNormResults,
     .cost = PerArgumentElement(2),
     .shape = ShapeOf<BatchNormRule>,
     .gradient = OpGradient("the host has no such op")},
    {.name = "layer_norm",
     .summary = "`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the "
                "variance over the last dimension.",
     .arguments = kLayerNorm,
     .attrs = kLayerNormAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(7),
     .shape = ShapeOf<LayerNormRule>,
     .gradient = gradients::LayerNorm},
    {.name = "rms_norm",
     .summary = "`x / sqrt(mean(x^2) + epsilon) * scale` with the mean over the last dimension.",
     .arguments = std::span(kBatchNormEx).first(2),
     .attrs = kLayerNormAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(4),
     .shape = ChannelNormShape<true>,
     .gradient = gradients::RmsNorm},
    {.name = "instance_norm",
     .summary = "`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the "
                "variance of each channel of each image.",
     .arguments = kLayerNorm,
     .attrs = kInstanceNormAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(7),
     .shape = ChannelNormShape<false>,
     .gradient = gradients::InstanceNorm},
    {.name = "group_norm",
     .summary = "`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the "
                "variance of each group of channels of each image.",
     .arguments = kLayerNorm,
     .attrs = kGroupNormAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(7),
     .shape = GroupNormShape,
     .gradient = gradients::GroupNorm},
    {.name = "lrn",
     .summary = "`x / (bias + alpha / size * sum(x^2))^beta` with the sum over `size` channels "
                "around each.",
     .arguments = kX,
     .attrs = kLrnAttrs,
     .results = kY,
     .cost = PerArgumentElement(kFlopsOfExp + kFlopsOfLog),
     .shape = SameAsFirst,
     .gradient = kNoRuleYet},
};

constexpr OpSpelling kNormalizationSpellings[] = {
    {"tf.Softmax", "softmax"},
    {"tf.LogSoftmax", "log_softmax"},
    {"tf.BiasAdd", "bias_add"},
    {"tf.FusedBatchNormV3", "batch_norm"},
    {"tf._FusedBatchNormEx", "fused_batch_norm"},
    {"tfrt.LayerNorm", "layer_norm"},
};

}  // namespace

OpFamily NormalizationOps() { return {kNormalizationOps, kNormalizationSpellings}; }

}  // namespace tfrt
