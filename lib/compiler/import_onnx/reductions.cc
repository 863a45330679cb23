// ONNX ops that reduce dimensions.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// The axes, from the opset on in which they became an input. No axes: all, or, if the node says so,
// none.
std::optional<std::vector<int64_t>> axesOf(Node& node, int64_t input_since, bool& is_noop) {
  std::vector<int64_t> axes;
  if (node.version() < input_since) {
    axes = node.integers("axes");
  } else if (node.input(1)) {
    auto known = node.known(1, "axes");
    if (!known) return std::nullopt;
    axes = *known;
  }
  is_noop = axes.empty() && node.integer("noop_with_empty_axes", 0) != 0;
  if (axes.empty()) {
    auto rank = node.rank(node.input(0));
    if (!rank) return std::nullopt;
    axes.resize(*rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  return axes;
}

// What is done to each element before, and to each result after, if anything.
struct Around {
  llvm::StringRef before;
  llvm::StringRef after;
};

llvm::LogicalResult reduce(Node& node, llvm::StringRef name, int64_t input_since,
                           Around around = {}) {
  bool is_noop = false;
  auto axes = axesOf(node, input_since, is_noop);
  if (!axes) return mlir::failure();
  Value value = node.input(0);
  if (around.before == "square") {
    value = node.graph.value("mul", {value, value});
  } else if (!around.before.empty()) {
    value = node.graph.value(around.before, {value});
  }
  if (value && !is_noop) {
    value = node.graph.value(name, {value, node.graph.integers(*axes)},
                             {node.graph.attribute("keep_dims", node.integer("keepdims", 1) != 0)});
  }
  if (value && !around.after.empty()) value = node.graph.value(around.after, {value});
  return node.give(value);
}

llvm::LogicalResult reduceSum(Node& node) { return reduce(node, "reduce_sum", 13); }
llvm::LogicalResult reduceMean(Node& node) { return reduce(node, "reduce_mean", 18); }
llvm::LogicalResult reduceMax(Node& node) { return reduce(node, "reduce_max", 18); }
llvm::LogicalResult reduceMin(Node& node) { return reduce(node, "reduce_min", 18); }
llvm::LogicalResult reduceL1(Node& node) { return reduce(node, "reduce_sum", 18, {"abs", ""}); }
llvm::LogicalResult reduceL2(Node& node) {
  return reduce(node, "reduce_sum", 18, {"square", "sqrt"});
}
llvm::LogicalResult reduceSumSquare(Node& node) {
  return reduce(node, "reduce_sum", 18, {"square", ""});
}
llvm::LogicalResult reduceLogSum(Node& node) { return reduce(node, "reduce_sum", 18, {"", "log"}); }

constexpr NodeRow kRows[] = {
    {"ReduceL1", 1, reduceL1},         {"ReduceL2", 1, reduceL2},
    {"ReduceLogSum", 1, reduceLogSum}, {"ReduceMax", 1, reduceMax},
    {"ReduceMean", 1, reduceMean},     {"ReduceMin", 1, reduceMin},
    {"ReduceSum", 1, reduceSum},       {"ReduceSumSquare", 1, reduceSumSquare},
};

}  // namespace

llvm::ArrayRef<NodeRow> reductionRows() { return kRows; }

}  // namespace tfrt::compiler::import
