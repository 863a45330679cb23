// Gradients of activations and of ops that compute with all elements of a row or a channel.

#include "op_families.h"
#include "shape_rules.h"

namespace tfrt {
namespace {

using AttrKind = OpAttrSpec::Kind;

// What both first arguments are.
StatusOr<ValueType> Alike(const OpShapeCall& call) {
  ValueType both;
  TFRT_ASSIGN_OR_RETURN(both.dtype,
                        UnifyDTypes(call, call.argument(0).dtype, call.argument(1).dtype));
  TFRT_ASSIGN_OR_RETURN(both.shape,
                        UnifyShapes(call, call.argument(0).shape, call.argument(1).shape));
  return both;
}

Status ActivationGradShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0], Alike(call));
  return OkStatus();
}

Status SoftmaxGradShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0], Alike(call));
  if (results[0].shape.has_rank() && results[0].shape.rank() == 0) {
    return ShapeError(call, "a tensor of rank 0 has no last dimension");
  }
  return OkStatus();
}

// Arguments: gradients, x, scale.
Status LayerNormGradShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_RETURN_IF_ERROR(SoftmaxGradShape(call, results));
  const ValueType& scale = call.argument(2);
  TFRT_ASSIGN_OR_RETURN(results[0].dtype, UnifyDTypes(call, results[0].dtype, scale.dtype));
  TFRT_ASSIGN_OR_RETURN(SymbolicShape vector, OfRank(call, scale.shape, 1, "the scale"));
  Dim columns = vector.dim(0);
  if (results[0].shape.has_rank()) {
    std::vector<Dim> dims(results[0].shape.dims().begin(), results[0].shape.dims().end());
    TFRT_ASSIGN_OR_RETURN(columns, UnifyDims(call, dims.back(), columns));
    dims.back() = columns;
    results[0].shape = SymbolicShape(std::move(dims));
  }
  results[1] = results[2] = {results[0].dtype, {columns}};
  return OkStatus();
}

// Arguments: y_backprop, x, scale and three reserves.
Status BatchNormGradShape(const OpShapeCall& call, std::span<ValueType> results) {
  TFRT_ASSIGN_OR_RETURN(results[0], Alike(call));
  const ValueType& scale = call.argument(2);
  results[1] = results[2] = {scale.dtype, scale.shape};
  results[3] = results[4] = {scale.dtype, {0}};
  return OkStatus();
}

constexpr OpArgumentSpec kGelu[] = {{"gradients"}, {"features"}};
constexpr OpArgumentSpec kSoftmax[] = {{"gradients"}, {"softmax"}};
constexpr OpArgumentSpec kLogSoftmax[] = {{"gradients"}, {"logsoftmax"}};
constexpr OpArgumentSpec kLayerNorm[] = {{"gradients"}, {"x"}, {"scale"}};
constexpr OpArgumentSpec kBatchNorm[] = {{"y_backprop"},      {"x"},
                                         {"scale"},           {"reserve_space_1"},
                                         {"reserve_space_2"}, {"reserve_space_3"}};
constexpr std::string_view kBackprops[] = {"backprops"};
constexpr std::string_view kLayerNormResults[] = {"x_grad", "scale_grad", "offset_grad"};
constexpr std::string_view kBatchNormResults[] = {"x_backprop", "scale_backprop", "offset_backprop",
                                                  "reserve_space_4", "reserve_space_5"};
constexpr OpAttrSpec kGeluAttrs[] = {{"approximate", AttrKind::kBool, "false"}};
constexpr OpAttrSpec kLayerNormAttrs[] = {{"epsilon", AttrKind::kF32, "1e-5f"}};
constexpr OpAttrSpec kBatchNormAttrs[] = {{"data_format", AttrKind::kString, "\"NHWC\""},
                                          {"epsilon", AttrKind::kF32, "1e-4f"},
                                          {"is_training", AttrKind::kBool, "true"}};

constexpr OpDescription kOps[] = {
    {.name = "batch_norm_grad",
     .summary = "The gradients of batch normalisation with respect to x, scale and offset, and two "
                "empty tensors. reserve_space_1 and reserve_space_2 are its reserve_1 and "
                "reserve_2, in training the mean and the variance of the batch; otherwise they are "
                "numbers that do not depend on x.",
     .arguments = kBatchNorm,
     .attrs = kBatchNormAttrs,
     .results = kBatchNormResults,
     .cost = PerArgumentElement(9),
     .shape = BatchNormGradShape},
    {.name = "gelu_grad",
     .summary = "The gradient of gelu of `features`: `gradients` times its derivative there.",
     .arguments = kGelu,
     .attrs = kGeluAttrs,
     .results = kBackprops,
     .cost = PerArgumentElement(kFlopsOfErf + kFlopsOfExp + 6),
     .shape = ActivationGradShape},
    {.name = "softmax_grad",
     .summary = "The gradient of the softmax, whose result is `softmax`: `(gradients - "
                "sum(gradients * softmax)) * softmax` over the last dimension.",
     .arguments = kSoftmax,
     .results = kBackprops,
     .cost = PerArgumentElement(4),
     .shape = SoftmaxGradShape},
    {.name = "log_softmax_grad",
     .summary = "The gradient of the log softmax, whose result is `logsoftmax`: `gradients - "
                "exp(logsoftmax) * sum(gradients)` over the last dimension.",
     .arguments = kLogSoftmax,
     .results = kBackprops,
     .cost = PerArgumentElement(kFlopsOfExp + 3),
     .shape = SoftmaxGradShape},
    {.name = "layer_norm_grad",
     .summary = "The gradients of layer normalisation of `x` with respect to x, scale and offset.",
     .arguments = kLayerNorm,
     .attrs = kLayerNormAttrs,
     .results = kLayerNormResults,
     .cost = PerArgumentElement(15),
     .shape = LayerNormGradShape},
};

constexpr OpSpelling kSpellings[] = {
    {"tf.FusedBatchNormGradV3", "batch_norm_grad"}, {"tfrt.GeluGrad", "gelu_grad"},
    {"tfrt.SoftmaxGrad", "softmax_grad"},           {"tfrt.LogSoftmaxGrad", "log_softmax_grad"},
    {"tfrt.LayerNormGrad", "layer_norm_grad"},
};

}  // namespace

OpFamily GradientOps() { return {kOps, kSpellings}; }

}  // namespace tfrt
