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

// Returns the effect on each element of a reduction over no axes.
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
      node.make(name, {node.input(0), axes}, {Attr{"keep_dims", true, "keepdims"}.of(node)}));
}

template <OpName name, int64_t input_since = 18>
llvm::LogicalResult reduction(Node& node) {
  return reduceOver(node, name.text, input_since);
}

// The largest of truths is whether one is true.
template <OpName name>
llvm::LogicalResult extreme(Node& node) {
  constexpr int64_t kInputSince = 18;
  mlir::Type element = node.elementOf(node.input(0));
  if (!element || !element.isInteger(1)) return reduceOver(node, name.text, kInputSince);
  bool is_noop = false;
  Value axes = axesOf(node, kInputSince, is_noop);
  if (!axes) return mlir::failure();
  Value value = cast(node, node.input(0), node.graph.builder().getI32Type());
  if (!is_noop) {
    value = node.make(name.text, {value, axes}, {Attr{"keep_dims", true, "keepdims"}.of(node)});
  }
  // The largest of no elements is false.
  if (llvm::StringRef(name.text) == "reduce_max")
    value = node.make("maximum", {value, node.numberLike(value, 0)});
  return node.give(cast(node, value, element));
}

// Where the largest element along an axis is: the first of several, or the last.
template <OpName name>
llvm::LogicalResult argOf(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto axis = node.axisOf(value, 0);
  if (!axis) return mlir::failure();
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
  Value place = node.make(name.text, {value, node.graph.integer(*axis)},
                          {node.graph.attribute("dtype", i64)});
  if (last) {
    Value end = node.make("sub", {sizeOf(node, node.input(0), *axis), node.graph.integer(1)});
    place = node.make("sub", {end, place});
  }
  if (node.integer("keepdims", 1) != 0) place = expand(node, place, {*axis});
  return node.give(place);
}

constexpr NodeRow kReductionRows[] = {
    {"ArgMax", 1, argOf<"argmax">},
    {"ArgMin", 1, argOf<"argmin">},
    {"ReduceL1", 1, reduction<"reduce_l1">, 1, "the number of axes must be known"},
    {"ReduceL2", 1, reduction<"reduce_l2">, 1, "the number of axes must be known"},
    {"ReduceLogSum", 1, reduction<"reduce_log_sum">, 1, "the number of axes must be known"},
    {"ReduceLogSumExp", 1, reduction<"reduce_log_sum_exp">, 1, "the number of axes must be known"},
    {"ReduceMax", 1, extreme<"reduce_max">, 1, "the number of axes must be known"},
    {"ReduceMean", 1, reduction<"reduce_mean">, 1, "the number of axes must be known"},
    {"ReduceMin", 1, extreme<"reduce_min">, 1, "the number of axes must be known"},
    {"ReduceProd", 1, reduction<"reduce_prod">, 1, "the number of axes must be known"},
    {"ReduceSum", 1, reduction<"reduce_sum", 13>, 1, "the number of axes must be known"},
    {"ReduceSumSquare", 1, reduction<"reduce_sum_square">, 1, "the number of axes must be known"},
};

}  // namespace

llvm::ArrayRef<NodeRow> reductionRows() { return kReductionRows; }

}  // namespace tfrt::compiler::import
