// ONNX ops that reduce dimensions.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// The axes, from the opset on in which they became an input. No axes: all, or, if the node says so,
// none. Null after an error.
Value axesOf(Node& node, int64_t input_since, bool& is_noop) {
  Value given = node.version() < input_since
                    ? node.graph.integers(node.integers("axes"))
                    : (node.input(1) ? node.input(1) : node.graph.integers({}));
  Dim count = node.graph.typeOf(given).shape.num_elements();
  if (!count.is_known()) {
    (void)node.fail("the number of axes is not known before the model runs");
    return {};
  }
  is_noop = count.is(0) && node.integer("noop_with_empty_axes", 0) != 0;
  if (!count.is(0)) return given;
  auto rank = node.rank(node.input(0));
  if (!rank) return {};
  std::vector<int64_t> all(*rank);
  std::iota(all.begin(), all.end(), 0);
  return node.graph.integers(all);
}

// What a reduction of nothing does to each element.
Value ofOne(Node& node, llvm::StringRef name, Value value) {
  if (name == "reduce_l1" || name == "reduce_l2") return node.make("abs", {value});
  if (name == "reduce_sum_square") return node.make("mul", {value, value});
  if (name == "reduce_log_sum") return node.make("log", {value});
  return value;
}

llvm::LogicalResult reduceOver(Node& node, llvm::StringRef name, int64_t input_since) {
  bool is_noop = false;
  Value axes = axesOf(node, input_since, is_noop);
  if (!axes) return mlir::failure();
  if (is_noop) return node.give(ofOne(node, name, node.input(0)));
  return node.give(
      node.make(name, {node.input(0), axes},
                {node.graph.attribute("keep_dims", node.integer("keepdims", 1) != 0)}));
}

// The largest of truths is whether one is true.
llvm::LogicalResult reduceExtreme(Node& node, llvm::StringRef name, int64_t input_since) {
  mlir::Type element = node.elementOf(node.input(0));
  if (!element || !element.isInteger(1)) return reduceOver(node, name, input_since);
  bool is_noop = false;
  Value axes = axesOf(node, input_since, is_noop);
  if (!axes) return mlir::failure();
  Value value = cast(node, node.input(0), node.graph.builder().getI32Type());
  if (!is_noop) {
    value = node.make(name, {value, axes},
                      {node.graph.attribute("keep_dims", node.integer("keepdims", 1) != 0)});
  }
  // Of none, the largest is false.
  if (name == "reduce_max") value = node.make("maximum", {value, node.numberLike(value, 0)});
  return node.give(cast(node, value, element));
}

llvm::LogicalResult reduceSum(Node& node) { return reduceOver(node, "reduce_sum", 13); }
llvm::LogicalResult reduceMean(Node& node) { return reduceOver(node, "reduce_mean", 18); }
llvm::LogicalResult reduceMax(Node& node) { return reduceExtreme(node, "reduce_max", 18); }
llvm::LogicalResult reduceMin(Node& node) { return reduceExtreme(node, "reduce_min", 18); }
llvm::LogicalResult reduceL1(Node& node) { return reduceOver(node, "reduce_l1", 18); }
llvm::LogicalResult reduceL2(Node& node) { return reduceOver(node, "reduce_l2", 18); }
llvm::LogicalResult reduceProd(Node& node) { return reduceOver(node, "reduce_prod", 18); }
llvm::LogicalResult reduceSumSquare(Node& node) {
  return reduceOver(node, "reduce_sum_square", 18);
}
llvm::LogicalResult reduceLogSum(Node& node) { return reduceOver(node, "reduce_log_sum", 18); }
llvm::LogicalResult reduceLogSumExp(Node& node) {
  return reduceOver(node, "reduce_log_sum_exp", 18);
}

// Where the largest element along an axis is: the first of several, or the last.
llvm::LogicalResult argOf(Node& node, llvm::StringRef name) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto axis = rank ? node.axis(node.integer("axis", 0), *rank) : std::nullopt;
  if (!axis) return mlir::failure();
  const auto at = static_cast<int64_t>(*axis);
  const bool last = node.integer("select_last_index", 0) != 0;
  if (last) {
    const int64_t open = ((int64_t{1} << *rank) - 1);
    std::vector<int64_t> zeros(*rank, 0), steps(*rank, 1);
    steps[*axis] = -1;
    Value none = node.graph.integers(zeros);
    value = node.make(
        "strided_slice", {value, none, none, node.graph.integers(steps)},
        {node.graph.attribute("begin_mask", open), node.graph.attribute("end_mask", open)});
  }
  mlir::Type i64 = node.graph.builder().getI64Type();
  Value place =
      node.make(name, {value, node.graph.integer(at)}, {node.graph.attribute("dtype", i64)});
  if (last) {
    Value end = node.make("sub", {sizeOf(node, node.input(0), *axis), node.graph.integer(1)});
    place = node.make("sub", {end, place});
  }
  if (node.integer("keepdims", 1) != 0) place = expand(node, place, {at});
  return node.give(place);
}
llvm::LogicalResult argMax(Node& node) { return argOf(node, "argmax"); }
llvm::LogicalResult argMin(Node& node) { return argOf(node, "argmin"); }

constexpr NodeRow kRows[] = {
    {"ArgMax", 1, argMax},
    {"ArgMin", 1, argMin},
    {"ReduceL1", 1, reduceL1},
    {"ReduceL2", 1, reduceL2},
    {"ReduceLogSum", 1, reduceLogSum},
    {"ReduceLogSumExp", 1, reduceLogSumExp},
    {"ReduceMax", 1, reduceMax},
    {"ReduceMean", 1, reduceMean},
    {"ReduceMin", 1, reduceMin},
    {"ReduceProd", 1, reduceProd},
    {"ReduceSum", 1, reduceSum},
    {"ReduceSumSquare", 1, reduceSumSquare},
};

}  // namespace

llvm::ArrayRef<NodeRow> reductionRows() { return kRows; }

}  // namespace tfrt::compiler::import
