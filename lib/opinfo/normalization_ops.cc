// Softmax, normalisation and biases.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// The first argument, whose last size is that of the vectors among the others.
Status LikeFirstWithVectors(const OpShapeCall& call, std::span<ValueType> results, size_t vectors) {
  ValueType in = call.argument(0);
  Dim columns;
  for (size_t i = 1; i <= vectors; ++i) {
    const ValueType& each = call.argument(i);
    TFRT_ASSIGN_OR_RETURN(in.dtype, UnifyDTypes(call, in.dtype, each.dtype));
    TFRT_ASSIGN_OR_RETURN(SymbolicShape vector, OfRank(call, each.shape, 1, "a vector"));
    TFRT_ASSIGN_OR_RETURN(columns, UnifyDims(call, columns, vector.dim(0)));
  }
  if (in.shape.has_rank()) {
    if (in.shape.rank() == 0) return ShapeError(call, "a tensor of rank 0 has no last dimension");
    std::vector<Dim> dims(in.shape.dims().begin(), in.shape.dims().end());
    TFRT_ASSIGN_OR_RETURN(dims.back(), UnifyDims(call, dims.back(), columns));
    in.shape = SymbolicShape(std::move(dims));
  }
  results[0] = {in.dtype, in.shape};
  return OkStatus();
}

Status SoftmaxShape(const OpShapeCall& call, std::span<ValueType> results) {
  return LikeFirstWithVectors(call, results, 0);
}
Status BiasAddShape(const OpShapeCall& call, std::span<ValueType> results) {
  return LikeFirstWithVectors(call, results, 1);
}
Status LayerNormShape(const OpShapeCall& call, std::span<ValueType> results) {
  return LikeFirstWithVectors(call, results, 2);
}

// The normalised input, mean, variance, mean, variance, and an empty tensor.
Status BatchNormShape(const OpShapeCall& call, std::span<ValueType> results) {
  results[0] = {call.argument(0).dtype, call.argument(0).shape};
  TFRT_ASSIGN_OR_RETURN(bool is_training, call.Attr<bool>("is_training"));
  SymbolicShape channel = call.argument(1).shape;
  // In training mean and variance may be empty.
  for (size_t i = 2; i < (is_training ? 3 : 5); ++i) {
    TFRT_ASSIGN_OR_RETURN(channel, UnifyShapes(call, channel, call.argument(i).shape));
  }
  for (size_t i = 1; i < 5; ++i) results[i] = {call.argument(1).dtype, channel};
  results[5] = {call.argument(1).dtype, {0}};
  return OkStatus();
}

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
     .shape = SoftmaxShape},
    {.name = "log_softmax",
     .summary = "The logarithm of the softmax.",
     .arguments = kLogits,
     .results = kLogSoftmax,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(kFlopsOfExp + 4),
     .shape = SoftmaxShape},
    {.name = "bias_add",
     .summary = "`value + bias`, of the size of the last dimension.",
     .arguments = kBiasAdd,
     .attrs = kBiasAttrs,
     .results = kOutput,
     .flags = OpFlags::kAllowsScalar,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(1),
     .shape = BiasAddShape},
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
     .shape = BatchNormShape},
    {.name = "fused_batch_norm",
     .summary = "Batch normalisation with an activation; the host has no such op.",
     .arguments = kBatchNormEx,
     .attrs = kBatchNormAttrs,
     .results = kBatchNormResults,
     .cost = PerArgumentElement(2),
     .shape = BatchNormShape},
    {.name = "layer_norm",
     .summary = "`(x - mean) / sqrt(variance + epsilon) * scale + offset` with the mean and the "
                "variance over the last dimension.",
     .arguments = kLayerNorm,
     .attrs = kLayerNormAttrs,
     .results = kY,
     .may_overwrite = 0b1,
     .cost = PerArgumentElement(7),
     .shape = LayerNormShape},
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
