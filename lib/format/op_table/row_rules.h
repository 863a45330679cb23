// Shape rules (lib/format/op_table/shape_inference.h) of ops that compute with all elements of a
// row or a channel: normalisation, losses, updates, and their gradients.
#ifndef TFRT_LIB_FORMAT_OP_TABLE_ROW_RULES_H_
#define TFRT_LIB_FORMAT_OP_TABLE_ROW_RULES_H_

#include "shape_inference.h"

namespace tfrt {
namespace internal {

// `result` becomes what both are.
template <typename Value>
Status Alike(std::string_view a_name, const Value& a, std::string_view b_name, const Value& b,
             Value& result) {
  result.dtype = a.dtype;
  result.shape = a.shape;
  if (Unite(&result.dtype, b.dtype) && Unite(&result.shape, b.shape)) [[likely]] {
    return OkStatus();
  }
  return InvalidArgumentError(
      StrCat(a_name, " is ", TypeText(a), ", but ", b_name, " is ", TypeText(b)));
}

// `result` is the argument, with a last dimension.
template <typename Shape>
Status CheckHasRows(std::string_view op, const Shape& shape) {
  if (!HasRank(shape) || shape.rank() > 0) return OkStatus();
  return InvalidArgumentError(StrCat(op, ": a tensor of rank 0 has no last axis"));
}

// Makes `vector` one of `columns` elements of this dtype.
template <typename Value, typename D>
Status UniteWithVector(std::string_view name, const Value& vector, DType* dtype, D* columns) {
  const D wanted = *columns;
  bool fits = Unite(dtype, vector.dtype);
  if (HasRank(vector.shape)) {
    fits = fits && vector.shape.rank() == 1 && Unite(columns, DimOf(vector.shape, 0));
  }
  if (fits) return OkStatus();
  return InvalidArgumentError(StrCat("layer_norm: the ", name, " is ", TypeText(vector),
                                     ", expected ", DTypeName(*dtype), " [", wanted.ToString(),
                                     "]"));
}

}  // namespace internal

struct SoftmaxRule : ShapeRule {
  static constexpr size_t kArguments = 1;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& in = call.argument(0);
    TFRT_RETURN_IF_ERROR(internal::CheckHasRows("softmax", in.shape));
    results[0].dtype = in.dtype;
    results[0].shape = in.shape;
    return OkStatus();
  }
};

// Arguments: x, scale, offset.
struct LayerNormRule : ShapeRule {
  static constexpr size_t kArguments = 3;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    auto& result = results[0];
    result.dtype = call.argument(0).dtype;
    result.shape = call.argument(0).shape;
    return InferRows(call, 1, 2, result);
  }

  // Infers results for rows in `result` and the vectors among the arguments; `offset` may be the
  // same argument as `scale`.
  template <typename Call>
  static Status InferRows(const Call& call, size_t scale, size_t offset,
                          typename Call::Value& result) {
    TFRT_RETURN_IF_ERROR(internal::CheckHasRows("layer_norm", result.shape));
    auto columns = LastDim(result.shape);
    TFRT_RETURN_IF_ERROR(
        internal::UniteWithVector("scale", call.argument(scale), &result.dtype, &columns));
    TFRT_RETURN_IF_ERROR(
        internal::UniteWithVector("offset", call.argument(offset), &result.dtype, &columns));
    if (HasRank(result.shape)) Unite(&result.shape, result.shape.rank() - 1, &columns);
    return OkStatus();
  }
  // Unknown without a rank.
  template <typename Shape>
  static auto LastDim(const Shape& shape) {
    return DimIfRanked(shape, HasRank(shape) ? shape.rank() - 1 : 0);
  }
};

// Arguments: x, scale, offset, mean, variance. Results: the normalised input alone, or also mean,
// variance, mean, variance, and an empty tensor.
struct BatchNormRule : ShapeRule {
  static constexpr size_t kArguments = 5;
  static constexpr bool kTakesMore = true;
  static constexpr size_t kResults = 0;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &in = call.argument(0), &scale = call.argument(1);
    auto channels = scale.shape;
    // Arguments that training does not read may be left empty.
    const bool may_be_empty = call.template Attr<bool>("is_training").value_or(false) &&
                              call.template Attr<float>("exponential_avg_factor").value_or(1) == 1;
    for (size_t i = 2; i < 5; ++i) {
      const auto& shape = call.argument(i).shape;
      if (may_be_empty && i > 2 && call.MayBeEmptyVector(shape)) continue;
      if (Unite(&channels, shape)) continue;
      return InvalidArgumentError(
          "Mean, variance, bias, and scale are expected to have the same shape");
    }
    if (results.size() != 1 && results.size() != 6) {
      return InvalidArgumentError("TfFusedBatchNormV3Op only supports one valid output");
    }
    results[0].dtype = in.dtype;
    results[0].shape = in.shape;
    if (results.size() == 1) return OkStatus();
    for (size_t i = 1; i < 6; ++i) results[i].dtype = scale.dtype;
    for (size_t i = 1; i < 5; ++i) results[i].shape = channels;
    results[5].shape = {0};
    return OkStatus();
  }
};

// Arguments: y_backprop, x, scale and three reserves. Results: the gradients of x, scale and
// offset, and two empty tensors.
struct BatchNormGradRule : ShapeRule {
  static constexpr size_t kArguments = 6;
  static constexpr size_t kResults = 5;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto& scale = call.argument(2);
    TFRT_RETURN_IF_ERROR(
        internal::Alike("y_backprop", call.argument(0), "x", call.argument(1), results[0]));
    for (size_t i = 1; i < 5; ++i) results[i].dtype = scale.dtype;
    results[1].shape = scale.shape;
    results[2].shape = scale.shape;
    results[3].shape = {0};
    results[4].shape = {0};
    return OkStatus();
  }
};

// Arguments: gradients, features.
struct ActivationGradRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    return internal::Alike("gradients", call.argument(0), "features", call.argument(1), results[0]);
  }
};

// Arguments: gradients, the softmax.
struct SoftmaxGradRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    TFRT_RETURN_IF_ERROR(
        internal::Alike("gradients", call.argument(0), "the result", call.argument(1), results[0]));
    return internal::CheckHasRows("softmax", results[0].shape);
  }
};

// Arguments: gradients, x, scale. Results: the gradients of x, scale and offset.
struct LayerNormGradRule : ShapeRule {
  static constexpr size_t kArguments = 3;
  static constexpr size_t kResults = 3;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    auto& gradient = results[0];
    TFRT_RETURN_IF_ERROR(
        internal::Alike("gradients", call.argument(0), "x", call.argument(1), gradient));
    TFRT_RETURN_IF_ERROR(LayerNormRule::InferRows(call, 2, 2, gradient));
    typename Call::Dims dims;
    dims.push_back(HasRank(gradient.shape) ? LayerNormRule::LastDim(gradient.shape)
                                           : DimIfRanked(call.argument(2).shape, 0));
    TFRT_RETURN_IF_ERROR(call.MakeShape(std::move(dims), &results[1].shape));
    results[2].shape = results[1].shape;
    results[1].dtype = results[2].dtype = gradient.dtype;
    return OkStatus();
  }
};

// features [n,classes], labels [n]: the loss [n] and the gradient of the features.
struct CrossEntropyRule : ShapeRule {
  static constexpr size_t kArguments = 2;
  static constexpr size_t kResults = 2;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &logits = call.argument(0), &labels = call.argument(1);
    TFRT_RETURN_IF_ERROR(
        CheckIsInteger("tf.SparseSoftmaxCrossEntropyWithLogits", "labels", labels.dtype));
    TFRT_RETURN_IF_ERROR(CheckRank("the matrix of logits", logits.shape, 2));
    TFRT_RETURN_IF_ERROR(CheckRank("the vector of labels", labels.shape, 1));
    auto examples = DimIfRanked(logits.shape, 0);
    if (!Unite(&examples, DimIfRanked(labels.shape, 0))) {
      return InvalidArgumentError(StrCat("the labels have the shape ", labels.shape.ToString(),
                                         ", but the logits ", logits.shape.ToString()));
    }
    results[0].dtype = results[1].dtype = logits.dtype;
    TFRT_RETURN_IF_ERROR(OfExamples(call, labels.shape, 1, examples, &results[0].shape));
    return OfExamples(call, logits.shape, 2, examples, &results[1].shape);
  }

 private:
  // The shape, of which the first size is known elsewhere, and perhaps no more than the rank.
  template <typename Call, typename Shape>
  static Status OfExamples(const Call& call, const Shape& shape, size_t rank,
                           typename Call::Size examples, Shape* result) {
    if (HasRank(shape)) {
      *result = shape;
      Unite(result, 0, &examples);
      return OkStatus();
    }
    typename Call::Dims dims;
    dims.push_back(examples);
    while (--rank > 0) dims.push_back(typename Call::Size());
    return call.MakeShape(std::move(dims), result);
  }
  template <typename Shape>
  static Status CheckRank(std::string_view name, const Shape& shape, size_t rank) {
    if (!HasRank(shape) || shape.rank() == rank) return OkStatus();
    return InvalidArgumentError(
        StrCat(name, " has the shape ", shape.ToString(), ", expected rank ", rank));
  }
};

// Arguments: variable, gradient, learning rate.
struct SgdUpdateRule : ShapeRule {
  static constexpr size_t kArguments = 3;
  template <typename Call>
  static Status Infer(const Call& call, std::span<typename Call::Value> results) {
    const auto &variable = call.argument(0), &gradient = call.argument(1);
    const auto& rate = call.argument(2);
    results[0].dtype = variable.dtype;
    results[0].shape = variable.shape;
    if (!Unite(&results[0].shape, gradient.shape)) {
      return InvalidArgumentError(StrCat("sgd_update: the gradient has the shape ",
                                         gradient.shape.ToString(), ", expected ",
                                         variable.shape.ToString()));
    }
    if (call.MayHaveOneElement(rate)) return OkStatus();
    return InvalidArgumentError(StrCat("sgd_update: the learning rate has the shape ",
                                       rate.shape.ToString(), ", expected one element"));
  }
};

}  // namespace tfrt

#endif  // TFRT_LIB_FORMAT_OP_TABLE_ROW_RULES_H_
