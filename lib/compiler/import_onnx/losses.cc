// Losses of classifiers.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// -log_probability[n, target[n, ...], ...] times the target's weight; classes are dimension 1.
Value likelihoodLoss(Node& node, Value log_probability, Value target, Value weights) {
  auto rank = node.rank(target);
  if (!rank || !log_probability) return {};
  const std::string reduction = node.text("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean") {
    (void)node.fail("unknown reduction '" + reduction + "'");
    return {};
  }
  // Targets that do not count are taken as class 0, and get the weight 0.
  Value ignored;
  if (node.has("ignore_index")) {
    Value index = node.numberLike(target, static_cast<double>(node.integer("ignore_index", 0)));
    ignored = node.make("equal", {target, index});
    target = node.make("select", {ignored, node.numberLike(target, 0), target});
  }
  Value taken = node.make("gather_elements", {log_probability, expand(node, target, {1})},
                          {node.graph.attribute("axis", int64_t{1})});
  Value loss = node.make(
      "neg",
      {node.make("squeeze", {taken}, {node.graph.attribute("axes", llvm::ArrayRef<int64_t>{1})})});
  Value weight;
  if (weights) weight = node.make("gather", {weights, target, node.graph.integer(0)});
  if (ignored) {
    Value others = weight ? weight : node.numberLike(loss, 1);
    weight = node.make("select", {ignored, node.numberLike(loss, 0), others});
  }
  if (weight) loss = node.make("mul", {loss, weight});
  if (reduction == "none") return loss;
  llvm::SmallVector<int64_t> axes;
  for (size_t i = 0; i < *rank; ++i) axes.push_back(static_cast<int64_t>(i));
  if (reduction == "mean" && !weight) return reduce(node, "reduce_mean", loss, axes, false);
  Value sum = reduce(node, "reduce_sum", loss, axes, false);
  if (reduction == "sum") return sum;
  return node.make("div", {sum, reduce(node, "reduce_sum", weight, axes, false)});
}

llvm::LogicalResult negativeLogLikelihood(Node& node) {
  return node.give(likelihoodLoss(node, node.input(0), node.input(1), node.input(2)));
}

llvm::LogicalResult softmaxCrossEntropy(Node& node) {
  Value log_probability = softmaxAlong(node, "log_softmax", node.input(0), 1);
  Value loss = likelihoodLoss(node, log_probability, node.input(1), node.input(2));
  if (mlir::failed(node.give(loss))) return mlir::failure();
  return node.give(log_probability);
}

constexpr NodeRow kLossRows[] = {
    {"NegativeLogLikelihoodLoss", 12, negativeLogLikelihood, 2},
    {"SoftmaxCrossEntropyLoss", 12, softmaxCrossEntropy, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> lossRows() { return kLossRows; }

}  // namespace tfrt::compiler::import
