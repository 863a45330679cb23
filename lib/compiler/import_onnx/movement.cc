// ONNX ops on shapes, and those that move elements.

#include <numeric>

#include "narrow.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Where the wanted sizes are 0 those of the value, unless zeros are allowed.
llvm::LogicalResult reshapeOp(Node& node) {
  Value value = node.input(0), sizes = node.input(1);
  if (node.version() < 5) sizes = node.graph.integers(node.integers("shape"));
  if (!value || !sizes) return node.fail("it has two inputs");
  const ValueType wanted = node.graph.typeOf(sizes);
  if (node.integer("allowzero", 0) != 0) return node.giveOp("reshape", {value, sizes});
  if (!wanted.elements) {
    // Whether one is 0 only the run can tell.
    Dim count = wanted.shape.num_elements();
    auto rank = node.rank(value);
    if (!rank || !count.is_known()) return node.fail("the rank of the result is not known");
    Value old = shapeOf(node, value);
    auto missing = count.value() - static_cast<int64_t>(*rank);
    if (old && missing < 0) old = pieceOf(node, old, 0, count.value());
    if (old && missing > 0) {
      // Zeros there are an error of the model: they stay zeros.
      old = concat(node, {old, node.graph.integers(std::vector<int64_t>(missing, 0))}, 0);
    }
    Value zero = node.graph.integer(0);
    Value is_zero = old ? node.graph.value("equal", {sizes, zero}) : Value();
    Value chosen = is_zero ? node.graph.value("select", {is_zero, old, sizes}) : Value();
    return chosen ? node.giveOp("reshape", {value, chosen}) : mlir::failure();
  }
  bool has_zero = false;
  for (Dim size : *wanted.elements) has_zero |= size.is(0);
  if (!has_zero) return node.giveOp("reshape", {value, sizes});
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  // Piece by piece: sizes that stay, sizes that are given.
  llvm::SmallVector<Value> pieces;
  Value old;
  for (auto [i, size] : llvm::enumerate(*wanted.elements)) {
    if (!size.is(0)) {
      pieces.push_back(size.is_known() ? node.graph.integers({size.value()})
                                       : pieceOf(node, sizes, static_cast<int64_t>(i), 1));
      continue;
    }
    if (i >= *rank)
      return node.fail("size " + llvm::Twine(i) + " is 0, but the input has none there");
    Dim known = node.graph.typeOf(value).shape.dim(i);
    if (known.is_known()) {
      pieces.push_back(node.graph.integers({known.value()}));
      continue;
    }
    if (!old) old = shapeOf(node, value);
    if (!old) return mlir::failure();
    pieces.push_back(pieceOf(node, old, static_cast<int64_t>(i), 1));
  }
  Value joined = concat(node, pieces, 0);
  return joined ? node.giveOp("reshape", {value, joined}) : mlir::failure();
}

// Two dimensions: those before the axis, and the rest.
llvm::LogicalResult flatten(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  int64_t axis = node.integer("axis", 1);
  auto signed_rank = static_cast<int64_t>(*rank);
  if (axis < -signed_rank || axis > signed_rank) {
    return node.fail("axis " + llvm::Twine(axis) + " is out of range for rank " +
                     llvm::Twine(*rank));
  }
  if (axis < 0) axis += signed_rank;
  Dim before = 1, after = 1;
  const ValueType type = node.graph.typeOf(value);
  auto multiply = [](Dim a, Dim b) { return SymbolicShape({a, b}).num_elements(); };
  for (size_t i = 0; i < *rank; ++i) {
    Dim& product = static_cast<int64_t>(i) < axis ? before : after;
    Dim size = type.shape.dim(i);
    product = product.is(1) ? size : size.is(1) ? product : multiply(product, size);
  }
  if (axis == 0 || after.is_known()) {
    return node.give(
        reshape(node, value, {axis == 0 ? 1 : -1, after.is_known() ? after.value() : -1}));
  }
  if (before.is_known()) return node.give(reshape(node, value, {before.value(), -1}));
  Value first = productOf(node, value, 0, static_cast<size_t>(axis));
  Value rest = axis == 1 ? node.graph.integers({-1})
                         : productOf(node, value, static_cast<size_t>(axis), *rank - axis);
  return node.give(node.make("reshape", {value, concat(node, {first, rest}, 0)}));
}

llvm::LogicalResult transposeOp(Node& node) {
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  std::vector<int64_t> reversed(*rank);
  std::iota(reversed.rbegin(), reversed.rend(), 0);
  std::vector<int64_t> permutation = node.integers("perm", reversed);
  if (permutation.size() != *rank) {
    return node.fail("perm has " + llvm::Twine(permutation.size()) + " numbers for rank " +
                     llvm::Twine(*rank));
  }
  return node.give(transpose(node, node.input(0), permutation));
}

// The axes, if they are known: an input from opset 13 on, an attribute before. Nothing if they are
// left out.
std::optional<std::vector<int64_t>> axesOf(Node& node) {
  if (node.version() < 13) return node.integers("axes");
  if (!node.input(1)) return std::vector<int64_t>();
  return node.graph.elementsOf(node.input(1));
}

// Computes, when the model runs, which of `rank` dimensions are not among the axes: a vector of
// `count`.
Value otherAxes(Node& node, int64_t rank, int64_t count) {
  Value axes = wide(node, node.input(1));
  Value truth =
      node.make("scatter_elements",
                {node.graph.integers(std::vector<int64_t>(rank, 1)), axes,
                 node.make("broadcast_to", {node.graph.integer(0), shapeOf(node, axes)})});
  return reshape(node, node.make("nonzero", {truth}), {count});
}

// The number of axes that are an input.
std::optional<int64_t> numAxes(Node& node) {
  Dim count = node.graph.typeOf(node.input(1)).shape.num_elements();
  if (count.is_known()) return count.value();
  (void)node.fail("the number of axes is not known before the model runs");
  return std::nullopt;
}

llvm::LogicalResult squeeze(Node& node) {
  if (auto axes = axesOf(node)) {
    return node.giveOp("squeeze", {node.input(0)},
                       {node.graph.attribute("axes", llvm::ArrayRef<int64_t>(*axes))});
  }
  auto rank = node.rank(node.input(0));
  auto count = rank ? numAxes(node) : std::nullopt;
  if (!count) return mlir::failure();
  auto signed_rank = static_cast<int64_t>(*rank);
  if (*count > signed_rank) return node.fail("there are more axes than dimensions");
  Value left = otherAxes(node, signed_rank, signed_rank - *count);
  Value sizes = node.make("gather", {shapeOf(node, node.input(0)), left, node.graph.integer(0)});
  return node.give(node.make("reshape", {node.input(0), sizes}));
}

// Axes are those of the result.
llvm::LogicalResult unsqueeze(Node& node) {
  auto axes = axesOf(node);
  if (axes && !node.graph.typeOf(node.input(0)).shape.has_rank() &&
      (axes->size() == 1 || llvm::all_of(*axes, [](int64_t axis) { return axis >= 0; }))) {
    // Counted from the front, or one from the end: the rank does not matter.
    llvm::SmallVector<int64_t> sorted(axes->begin(), axes->end());
    llvm::sort(sorted);
    auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) return node.fail("axis " + llvm::Twine(*twice) + " is there twice");
    return node.give(expand(node, node.input(0), sorted));
  }
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  auto signed_rank = static_cast<int64_t>(*rank);
  if (!axes) {
    auto count = numAxes(node);
    if (!count) return mlir::failure();
    Value left = otherAxes(node, signed_rank + *count, signed_rank);
    Value ones = node.graph.integers(std::vector<int64_t>(signed_rank + *count, 1));
    Value sizes = node.make("scatter_elements", {ones, left, shapeOf(node, node.input(0))});
    return node.give(node.make("reshape", {node.input(0), sizes}));
  }
  llvm::SmallVector<bool> is_new(*rank + axes->size());
  for (int64_t each : *axes) {
    auto axis = node.axis(each, is_new.size());
    if (!axis) return mlir::failure();
    if (is_new[*axis]) return node.fail("axis " + llvm::Twine(each) + " is there twice");
    is_new[*axis] = true;
  }
  llvm::SmallVector<int64_t> sorted;
  for (auto [axis, made] : llvm::enumerate(is_new)) {
    if (made) sorted.push_back(static_cast<int64_t>(axis));
  }
  return node.give(expand(node, node.input(0), sorted));
}

llvm::LogicalResult concatOp(Node& node) {
  if (!node.has("axis") && node.version() >= 4) return node.fail("there is no axis");
  if (node.num_inputs() == 0) return node.fail("there are no inputs");
  if (node.num_inputs() == 1) {
    const SymbolicShape shape = node.graph.typeOf(node.input(0)).shape;
    if (shape.has_rank() && !node.axis(node.integer("axis", 1), shape.rank())) {
      return mlir::failure();
    }
    return node.give(node.input(0));
  }
  return node.give(concat(node, node.inputs(), node.integer("axis", 1)));
}

llvm::LogicalResult shape(Node& node) {
  Value sizes = shapeOf(node, node.input(0));
  if (!sizes || (!node.has("start") && !node.has("end"))) return node.give(sizes);
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  auto signed_rank = static_cast<int64_t>(*rank);
  auto clamp = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + signed_rank : at, 0, signed_rank);
  };
  int64_t begin = clamp(node.integer("start", 0)), end = clamp(node.integer("end", signed_rank));
  return node.give(pieceOf(node, sizes, begin, std::max<int64_t>(end - begin, 0)));
}

llvm::LogicalResult size(Node& node) {
  Value sizes = shapeOf(node, node.input(0));
  if (!sizes) return mlir::failure();
  Dim count = node.graph.typeOf(node.input(0)).shape.num_elements();
  if (count.is_known()) return node.give(node.graph.integer(count.value()));
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  Value product;
  for (size_t i = 0; i < *rank; ++i) {
    Value one = node.graph.value(
        "gather", {sizes, node.graph.integer(static_cast<int64_t>(i)), node.graph.integer(0)});
    product = product && one ? node.graph.value("mul", {product, one}) : one;
  }
  return node.give(product);
}

llvm::LogicalResult constant(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  if (const onnx::TensorData* tensor = node.tensor("value")) {
    return node.give(constantOf(node, *tensor));
  }
  if (node.has("value_float")) {
    return node.give(graph.number(graph.builder().getF32Type(), node.number("value_float", 0)));
  }
  if (node.has("value_int")) return node.give(graph.integer(node.integer("value_int", 0)));
  if (node.has("value_ints")) return node.give(graph.integers(node.integers("value_ints")));
  if (node.has("value_floats")) {
    std::vector<float> values = node.numbers("value_floats");
    auto type = mlir::RankedTensorType::get({static_cast<int64_t>(values.size())},
                                            graph.builder().getF32Type());
    return node.give(
        graph.constant(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<float>(values))));
  }
  return node.fail("it has no value of a kind that is supported");
}

llvm::LogicalResult constantOfShape(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  Value value;
  if (const onnx::TensorData* tensor = node.tensor("value")) {
    Value constant = constantOf(node, *tensor);
    value = reshape(node, constant, {});
    if (const onnx::NarrowType* type = node.narrow.find(constant)) {
      return giveNarrow(node, node.make("fill", {node.input(0), value}), *type);
    }
  } else {
    value = graph.number(graph.builder().getF32Type(), 0);
  }
  return value ? node.giveOp("fill", {node.input(0), value}) : mlir::failure();
}

template <OpName name>
llvm::LogicalResult depth(Node& node) {
  std::string mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return node.fail("unknown mode '" + mode + "'");
  return node.giveOp(name.text, {node.input(0)},
                     {Attr{"block", 0, "blocksize"}.of(node),
                      node.graph.attribute("columns_first", mode == "CRD")});
}

constexpr NodeRow kMovementRows[] = {
    {"Concat", 1, concatOp, kAllInputs},
    {"Constant", 1, constant, 0, "tensors, numbers and lists of numbers"},
    {"ConstantOfShape", 9, constantOfShape},
    {"DepthToSpace", 1, depth<"depth_to_space">},
    {"Expand", 8, same<"broadcast_to">, 2},
    {"Flatten", 1, flatten, 1, "the sizes before the axis or those from it on must be known"},
    {"Range", 11, same<"range">, 3},
    {"Reshape", 1, reshapeOp, 1, "the rank of the result must be known"},
    {"Reshape", 5, reshapeOp, 2},
    {"Shape", 1, shape},
    {"Size", 1, size},
    {"SpaceToDepth", 1, depth<"space_to_depth">},
    {"Squeeze", 1, squeeze, 1, "the number of axes must be known"},
    {"Tile", 6, same<"tile">, 2},
    {"Transpose", 1, transposeOp},
    {"Unsqueeze", 1, unsqueeze, 1, "the number of axes must be known"},
    {"Unsqueeze", 13, unsqueeze, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> movementRows() { return kMovementRows; }

}  // namespace tfrt::compiler::import
