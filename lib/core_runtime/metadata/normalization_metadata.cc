#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/kernel_maths/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

Status FusedBatchNormOpMetadata(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                                std::span<TensorMetadata> results) noexcept {
  if (arguments.size() < 5) {
    return InvalidArgumentError(
        StrCat("the op takes at least 5 arguments, but there are ", arguments.size()));
  }
  const TensorMetadata& in = *arguments[0];
  const TensorMetadata& scale = *arguments[1];
  // What training does not read may be left empty.
  const bool may_be_empty = attrs.Get<bool>("is_training").value_or(false) &&
                            attrs.Get<float>("exponential_avg_factor").value_or(1) == 1;
  for (size_t i = 2; i < 5; ++i) {
    if (arguments[i]->shape == scale.shape) continue;
    if (may_be_empty && i > 2 && arguments[i]->shape == TensorShape{0}) continue;
    return InvalidArgumentError(
        "Mean, variance, bias, and scale are expected to have the same shape");
  }
  if (results.size() != 1 && results.size() != 6) {
    return InvalidArgumentError("TfFusedBatchNormV3Op only supports one valid output");
  }
  results[0] = in;
  if (results.size() == 1) return OkStatus();
  for (size_t i = 1; i < 5; ++i) results[i] = {scale.dtype, scale.shape};
  results[5] = {scale.dtype, TensorShape{0}};
  return OkStatus();
}

StatusOr<TensorMetadata> SoftmaxOpMetadata(const TensorMetadata& in) {
  if (in.shape.rank() == 0) {
    return InvalidArgumentError("softmax: a tensor of rank 0 has no last axis");
  }
  return in;
}

namespace {

Status CheckAlike(std::string_view gradients_name, const TensorMetadata& gradients,
                  std::string_view name, const TensorMetadata& like) {
  if (gradients == like) return OkStatus();
  return InvalidArgumentError(StrCat(gradients_name, " is ", DTypeName(gradients.dtype), " ",
                                     gradients.shape.ToString(), ", but ", name, " is ",
                                     DTypeName(like.dtype), " ", like.shape.ToString()));
}

}  // namespace

StatusOr<std::tuple<TensorMetadata, TensorMetadata, TensorMetadata, TensorMetadata, TensorMetadata>>
FusedBatchNormGradOpMetadata(const TensorMetadata& y_backprop, const TensorMetadata& x,
                             const TensorMetadata& scale, const TensorMetadata&,
                             const TensorMetadata&, const TensorMetadata&) {
  TFRT_RETURN_IF_ERROR(CheckAlike("y_backprop", y_backprop, "x", x));
  const TensorMetadata nothing{scale.dtype, TensorShape{0}};
  return std::tuple(x, scale, scale, nothing, nothing);
}

StatusOr<TensorMetadata> ActivationGradOpMetadata(const TensorMetadata& gradients,
                                                  const TensorMetadata& features) {
  TFRT_RETURN_IF_ERROR(CheckAlike("gradients", gradients, "features", features));
  return gradients;
}

StatusOr<TensorMetadata> SoftmaxGradOpMetadata(const TensorMetadata& gradients,
                                               const TensorMetadata& outputs) {
  TFRT_RETURN_IF_ERROR(CheckAlike("gradients", gradients, "the result", outputs));
  return SoftmaxOpMetadata(gradients);
}

StatusOr<std::tuple<TensorMetadata, TensorMetadata, TensorMetadata>> LayerNormGradOpMetadata(
    const TensorMetadata& gradients, const TensorMetadata& x, const TensorMetadata& scale) {
  TFRT_RETURN_IF_ERROR(CheckAlike("gradients", gradients, "x", x));
  TFRT_RETURN_IF_ERROR(LayerNormOpMetadata(x, scale, scale).status());
  return std::tuple(x, scale, scale);
}

StatusOr<TensorMetadata> LayerNormOpMetadata(const TensorMetadata& in, const TensorMetadata& scale,
                                             const TensorMetadata& offset) {
  const size_t rank = in.shape.rank();
  if (rank == 0) return InvalidArgumentError("layer_norm: a tensor of rank 0 has no last axis");
  const int64_t columns = in.shape.dim(rank - 1);
  for (const TensorMetadata* each : {&scale, &offset}) {
    if (each->shape.rank() == 1 && each->shape.dim(0) == columns && each->dtype == in.dtype) {
      continue;
    }
    return InvalidArgumentError(StrCat("layer_norm: ", each == &scale ? "the scale" : "the offset",
                                       " is ", DTypeName(each->dtype), " ", each->shape.ToString(),
                                       ", expected ", DTypeName(in.dtype), " [", columns, "]"));
  }
  return in;
}

StatusOr<std::tuple<TensorMetadata, TensorMetadata>> SoftmaxCrossEntropyOpMetadata(
    const TensorMetadata& features, const TensorMetadata& labels) {
  TFRT_ASSIGN_OR_RETURN(TensorShape loss, SoftmaxCrossEntropyShape(features.shape, labels.shape));
  return std::tuple(TensorMetadata{features.dtype, std::move(loss)}, features);
}

StatusOr<TensorMetadata> SgdUpdateOpMetadata(const TensorMetadata& variable,
                                             const TensorMetadata& gradient,
                                             const TensorMetadata& learning_rate) {
  if (gradient.shape != variable.shape) {
    return InvalidArgumentError(StrCat("sgd_update: the gradient has the shape ",
                                       gradient.shape.ToString(), ", expected ",
                                       variable.shape.ToString()));
  }
  if (learning_rate.shape.num_elements() != 1) {
    return InvalidArgumentError(StrCat("sgd_update: the learning rate has the shape ",
                                       learning_rate.shape.ToString(), ", expected one element"));
  }
  return variable;
}

}  // namespace tfrt
