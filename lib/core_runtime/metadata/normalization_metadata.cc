#include "tfrt/core_runtime/op_metadata.h"
#include "tfrt/kernels/shape_functions.h"
#include "tfrt/support/str_cat.h"

namespace tfrt {

Status FusedBatchNormOpMetadata(OpMetadataArguments arguments, const OpAttrsRef& attrs,
                                std::span<TensorMetadata> results) noexcept {
  if (arguments.size() < 5) {
    return InvalidArgumentError(
        StrCat("the op takes at least 5 arguments, but there are ", arguments.size()));
  }
  if (attrs.Get<bool>("is_training").value_or(false)) {
    return InvalidArgumentError("BatchNorm training not currently supported");
  }
  const TensorMetadata& in = *arguments[0];
  const TensorMetadata& scale = *arguments[1];
  for (size_t i = 2; i < 5; ++i) {
    if (arguments[i]->shape == scale.shape) continue;
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
