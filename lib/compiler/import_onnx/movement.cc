// ONNX ops on shapes, and those that move elements.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

mlir::Type i64(Node& node) { return node.graph.builder().getI64Type(); }

// The sizes of a value, as i64.
Value shapeOf(Node& node, Value value) {
  return node.graph.value("shape_of", {value}, {node.graph.attribute("dtype", i64(node))});
}

// A piece of a vector.
Value pieceOf(Node& node, Value vector, int64_t begin, int64_t size) {
  return node.graph.value("slice",
                          {vector, node.graph.integers({begin}), node.graph.integers({size})});
}

Value concat(Node& node, llvm::ArrayRef<Value> values, int64_t axis) {
  llvm::SmallVector<Value> arguments(values);
  arguments.push_back(node.graph.integer(axis));
  return node.graph.value("concat", arguments);
}

// Where the wanted sizes are 0 those of the value, unless zeros are allowed.
llvm::LogicalResult reshapeOp(Node& node) {
  Value value = node.input(0), sizes = node.input(1);
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
  if (axis == 1) {
    Value first = shapeOf(node, value);
    if (first) first = pieceOf(node, first, 0, 1);
    Value sizes = first ? concat(node, {first, node.graph.integers({-1})}, 0) : Value();
    return sizes ? node.giveOp("reshape", {value, sizes}) : mlir::failure();
  }
  return node.fail("neither the sizes before axis " + llvm::Twine(axis) +
                   " nor those after are known");
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

// From opset 13 on an input, an attribute before.
std::optional<std::vector<int64_t>> axesOf(Node& node) {
  if (node.version() < 13) return node.integers("axes");
  if (!node.input(1)) return std::vector<int64_t>();
  return node.known(1, "axes");
}

llvm::LogicalResult squeeze(Node& node) {
  auto axes = axesOf(node);
  if (!axes) return mlir::failure();
  return node.giveOp("squeeze", {node.input(0)},
                     {node.graph.attribute("axes", llvm::ArrayRef<int64_t>(*axes))});
}

// Axes are those of the result.
llvm::LogicalResult unsqueeze(Node& node) {
  auto axes = axesOf(node);
  auto rank = axes ? node.rank(node.input(0)) : std::nullopt;
  if (!rank) return mlir::failure();
  llvm::SmallVector<bool> is_new(*rank + axes->size());
  for (int64_t each : *axes) {
    auto axis = node.axis(each, is_new.size());
    if (!axis) return mlir::failure();
    if (is_new[*axis]) return node.fail("axis " + llvm::Twine(each) + " is there twice");
    is_new[*axis] = true;
  }
  Value value = node.input(0);
  for (auto [axis, made] : llvm::enumerate(is_new)) {
    if (!made || !value) continue;
    value =
        node.graph.value("expand_dims", {value, node.graph.integer(static_cast<int64_t>(axis))});
  }
  return node.give(value);
}

llvm::LogicalResult concatOp(Node& node) {
  if (!node.has("axis")) return node.fail("there is no axis");
  if (node.num_inputs() == 0) return node.fail("there are no inputs");
  if (node.num_inputs() == 1) return node.give(node.input(0));
  return node.give(concat(node, node.inputs(), node.integer("axis", 0)));
}

// Slices, one per output.
llvm::LogicalResult split(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  auto axis = rank ? node.axis(node.integer("axis", 0), *rank) : std::nullopt;
  if (!axis) return mlir::failure();
  std::vector<int64_t> sizes;
  if (node.version() < 13) {
    sizes = node.integers("split");
  } else if (node.input(1)) {
    auto known = node.known(1, "split");
    if (!known) return mlir::failure();
    sizes = *known;
  }
  const Dim whole = node.graph.typeOf(value).shape.dim(*axis);
  if (sizes.empty()) {
    if (!whole.is_known()) return node.fail("the size that is split is not known");
    auto count = static_cast<int64_t>(node.num_outputs());
    int64_t each = (whole.value() + count - 1) / count;
    for (int64_t i = 0, left = whole.value(); i < count; ++i, left -= each) {
      sizes.push_back(std::max<int64_t>(std::min(each, left), 0));
    }
  }
  if (sizes.size() != node.num_outputs()) {
    return node.fail("there are " + llvm::Twine(sizes.size()) + " sizes for " +
                     llvm::Twine(node.num_outputs()) + " outputs");
  }
  std::vector<int64_t> begin(*rank, 0), size(*rank, -1);
  for (int64_t each : sizes) {
    size[*axis] = each;
    if (mlir::failed(
            node.giveOp("slice", {value, node.graph.integers(begin), node.graph.integers(size)}))) {
      return mlir::failure();
    }
    begin[*axis] += each;
  }
  return mlir::success();
}

// Starts, ends, axes and steps: vectors that are known, or starts and ends that are not with the
// axes in order.
llvm::LogicalResult slice(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  Value starts = node.input(1), ends = node.input(2);
  std::vector<int64_t> axes, steps;
  if (node.version() < 10) {
    starts = node.graph.integers(node.integers("starts"));
    ends = node.graph.integers(node.integers("ends"));
    axes = node.integers("axes");
  } else {
    if (!starts || !ends) return node.fail("there are no starts and ends");
    for (auto [index, target] : {std::pair(3, &axes), std::pair(4, &steps)}) {
      if (!node.input(index)) continue;
      auto known = node.known(index, index == 3 ? "axes" : "steps");
      if (!known) return mlir::failure();
      *target = *known;
    }
  }
  const ValueType from = node.graph.typeOf(starts), to = node.graph.typeOf(ends);
  const Dim given = from.shape.num_elements();
  if (!given.is_known()) return node.fail("the number of starts is not known");
  const auto count = static_cast<size_t>(given.value());
  if (axes.empty()) {
    axes.resize(count);
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (steps.empty()) steps.assign(count, 1);
  if (axes.size() != count || steps.size() != count || !to.shape.num_elements().is(given.value())) {
    return node.fail("starts, ends, axes and steps differ in number");
  }
  // One entry for each dimension; those that are not sliced are open.
  std::vector<int64_t> all_steps(*rank, 1);
  int64_t open = (int64_t{1} << std::min<size_t>(*rank, 62)) - 1;
  std::vector<std::optional<size_t>> which(*rank);
  for (size_t i = 0; i < count; ++i) {
    auto axis = node.axis(axes[i], *rank);
    if (!axis) return mlir::failure();
    if (steps[i] == 0) return node.fail("a step is 0");
    all_steps[*axis] = steps[i];
    which[*axis] = i;
    open &= ~(int64_t{1} << *axis);
  }
  auto spread = [&](Value vector, const ValueType& type) -> Value {
    llvm::SmallVector<Value> pieces;
    bool all_known = type.elements.has_value();
    std::vector<int64_t> numbers;
    for (const auto& index : which) {
      Dim number = !index ? Dim(0) : type.elements ? (*type.elements)[*index] : Dim();
      all_known = all_known && number.is_known();
      numbers.push_back(number.is_known() ? number.value() : 0);
    }
    if (all_known || which.empty()) return node.graph.integers(numbers);
    Value wide =
        type.dtype == DType::kI64
            ? vector
            : node.graph.value("cast", {vector}, {node.graph.attribute("dtype", i64(node))});
    for (const auto& index : which) {
      pieces.push_back(index && wide ? pieceOf(node, wide, static_cast<int64_t>(*index), 1)
                                     : node.graph.integers({0}));
    }
    return wide ? concat(node, pieces, 0) : Value();
  };
  Value begin = spread(starts, from), end = spread(ends, to);
  if (!begin || !end) return mlir::failure();
  return node.giveOp(
      "strided_slice", {value, begin, end, node.graph.integers(all_steps)},
      {node.graph.attribute("begin_mask", open), node.graph.attribute("end_mask", open)});
}

llvm::LogicalResult expand(Node& node) {
  return node.giveOp("broadcast_to", {node.input(0), node.input(1)});
}

llvm::LogicalResult tile(Node& node) { return node.giveOp("tile", {node.input(0), node.input(1)}); }

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
    value = reshape(node, constantOf(node, *tensor), {});
  } else {
    value = graph.number(graph.builder().getF32Type(), 0);
  }
  return value ? node.giveOp("fill", {node.input(0), value}) : mlir::failure();
}

llvm::LogicalResult range(Node& node) { return node.giveOp("range", node.inputs()); }

llvm::LogicalResult depth(Node& node, llvm::StringRef name) {
  std::string mode = node.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return node.fail("unknown mode '" + mode + "'");
  return node.giveOp(name, {node.input(0)},
                     {node.graph.attribute("block", node.integer("blocksize", 0)),
                      node.graph.attribute("columns_first", mode == "CRD")});
}
llvm::LogicalResult depthToSpace(Node& node) { return depth(node, "depth_to_space"); }
llvm::LogicalResult spaceToDepth(Node& node) { return depth(node, "space_to_depth"); }

// Rows of before and after for each dimension, of begins and then ends.
llvm::LogicalResult pad(Node& node) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  std::string mode = node.text("mode", "constant");
  std::vector<int64_t> numbers;
  if (node.version() < 11) {
    numbers = node.integers("pads");
  } else {
    auto known = node.known(1, "pads");
    if (!known) return mlir::failure();
    numbers = *known;
  }
  std::vector<int64_t> axes;
  if (node.version() >= 18 && node.input(3)) {
    auto known = node.known(3, "axes");
    if (!known) return mlir::failure();
    axes = *known;
  } else {
    axes.resize(*rank);
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (numbers.size() != 2 * axes.size()) {
    return node.fail("there are " + llvm::Twine(numbers.size()) + " pads for " +
                     llvm::Twine(axes.size()) + " dimensions");
  }
  std::vector<int64_t> rows(2 * *rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    auto axis = node.axis(axes[i], *rank);
    if (!axis) return mlir::failure();
    rows[2 * *axis] = numbers[i];
    rows[2 * *axis + 1] = numbers[axes.size() + i];
  }
  if (mode != "constant") return node.fail("mode '" + mode + "' is not supported");
  // Negative pads cut.
  std::vector<int64_t> begin(*rank, 0);
  bool cuts = false;
  for (size_t i = 0; i < *rank; ++i) cuts |= rows[2 * i] < 0 || rows[2 * i + 1] < 0;
  if (cuts) return node.fail("negative pads are not supported");
  auto type = mlir::RankedTensorType::get({static_cast<int64_t>(*rank), 2}, i64(node));
  Value paddings =
      node.graph.constant(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<int64_t>(rows)));
  Value fill = node.version() < 11 ? Value() : node.input(2);
  if (!fill) {
    mlir::Type element = mlir::cast<mlir::ShapedType>(value.getType()).getElementType();
    fill = node.graph.number(element, node.version() < 11 ? node.number("value", 0) : 0);
  }
  return node.giveOp("pad_with", {value, paddings, fill});
}

constexpr NodeRow kRows[] = {
    {"Concat", 4, concatOp},
    {"Constant", 1, constant},
    {"ConstantOfShape", 9, constantOfShape},
    {"DepthToSpace", 1, depthToSpace},
    {"Expand", 8, expand},
    {"Flatten", 1, flatten},
    {"Pad", 2, pad},
    {"Range", 11, range},
    {"Reshape", 5, reshapeOp},
    {"Shape", 1, shape},
    {"Size", 1, size},
    {"Slice", 1, slice},
    {"SpaceToDepth", 1, spaceToDepth},
    {"Split", 2, split},
    {"Squeeze", 1, squeeze},
    {"Tile", 6, tile},
    {"Transpose", 1, transposeOp},
    {"Unsqueeze", 1, unsqueeze},
};

}  // namespace

llvm::ArrayRef<NodeRow> movementRows() { return kRows; }

}  // namespace tfrt::compiler::import
