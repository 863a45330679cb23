// ONNX ops that take some of the elements, or say where they are.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Negative indices count from the end.
Value wrapped(Node& node, Value indices, Value data, size_t axis) {
  const ValueType type = node.graph.typeOf(indices);
  auto known = node.graph.elementsOf(indices);
  if (known && std::ranges::all_of(*known, [](int64_t index) { return index >= 0; })) {
    return indices;
  }
  const Dim size = node.graph.typeOf(data).shape.dim(axis);
  mlir::Type element = mlir::cast<mlir::ShapedType>(indices.getType()).getElementType();
  Value wide = indices;
  if (known && size.is_known() && known->size() <= ValueType::kMaxElements) {
    std::vector<int64_t> numbers = *known;
    for (int64_t& number : numbers) number += number < 0 ? size.value() : 0;
    return reshape(node, node.graph.integers(numbers),
                   mlir::cast<mlir::ShapedType>(indices.getType()).getShape());
  }
  Value bound;
  if (size.is_known()) {
    bound = node.graph.number(element, static_cast<double>(size.value()));
  } else {
    Value sizes = node.graph.value("shape_of", {data}, {node.graph.attribute("dtype", element)});
    bound = sizes
                ? node.graph.value("gather", {sizes, node.graph.integer(static_cast<int64_t>(axis)),
                                              node.graph.integer(0)})
                : Value();
  }
  Value sum = bound ? node.graph.value("add", {wide, bound}) : Value();
  Value negative = sum ? node.graph.value("less", {wide, node.graph.number(element, 0)}) : Value();
  return negative ? node.graph.value("select", {negative, sum, wide}) : Value();
}

llvm::LogicalResult gather(Node& node) {
  Value data = node.input(0);
  auto rank = node.rank(data);
  auto axis = rank ? node.axis(node.integer("axis", 0), *rank) : std::nullopt;
  if (!axis) return mlir::failure();
  Value indices = wrapped(node, node.input(1), data, *axis);
  if (!indices) return mlir::failure();
  return node.giveOp("gather", {data, indices, node.graph.integer(static_cast<int64_t>(*axis))});
}

llvm::LogicalResult gatherElements(Node& node) {
  Value data = node.input(0);
  auto rank = node.rank(data);
  auto axis = rank ? node.axis(node.integer("axis", 0), *rank) : std::nullopt;
  if (!axis) return mlir::failure();
  Value indices = wrapped(node, node.input(1), data, *axis);
  if (!indices) return mlir::failure();
  return node.giveOp("gather_elements", {data, indices},
                     {node.graph.attribute("axis", static_cast<int64_t>(*axis))});
}

llvm::LogicalResult nonZero(Node& node) { return node.giveOp("nonzero", {node.input(0)}); }

llvm::LogicalResult topK(Node& node) {
  Value k = node.version() < 10 ? node.graph.integer(node.integer("k", 0)) : node.input(1);
  mlir::Operation* op =
      node.graph.create("top_k", {node.input(0), k},
                        {node.graph.attribute("axis", node.integer("axis", -1)),
                         node.graph.attribute("largest", node.integer("largest", 1) != 0),
                         node.graph.attribute("sorted", node.integer("sorted", 1) != 0)});
  if (!op) return mlir::failure();
  node.outputs.append({op->getResult(0), op->getResult(1)});
  return mlir::success();
}

llvm::LogicalResult cumSum(Node& node) {
  return node.giveOp("cumulative_sum", {node.input(0), node.input(1)},
                     {node.graph.attribute("exclusive", node.integer("exclusive", 0) != 0),
                      node.graph.attribute("reverse", node.integer("reverse", 0) != 0)});
}

llvm::LogicalResult triangle(Node& node) {
  Value diagonal = node.input(1) ? node.input(1) : node.graph.integer(0);
  return node.giveOp("triangle", {node.input(0), diagonal},
                     {node.graph.attribute("upper", node.integer("upper", 1) != 0)});
}

llvm::LogicalResult reductionOf(Node& node, std::string& reduction) {
  reduction = node.text("reduction", "none");
  for (llvm::StringRef known : {"none", "add", "mul", "max", "min"}) {
    if (known == reduction) return mlir::success();
  }
  return node.fail("unknown reduction '" + reduction + "'");
}

llvm::LogicalResult scatterElements(Node& node) {
  std::string reduction;
  if (mlir::failed(reductionOf(node, reduction))) return mlir::failure();
  return node.giveOp("scatter_elements", node.inputs(),
                     {node.graph.attribute("axis", node.integer("axis", 0)),
                      node.graph.attribute("reduction", reduction)});
}

llvm::LogicalResult scatterNd(Node& node) {
  std::string reduction;
  if (mlir::failed(reductionOf(node, reduction))) return mlir::failure();
  return node.giveOp("scatter_nd", node.inputs(), {node.graph.attribute("reduction", reduction)});
}

constexpr NodeRow kRows[] = {
    {"CumSum", 11, cumSum},
    {"Gather", 1, gather},
    {"GatherElements", 11, gatherElements},
    {"NonZero", 9, nonZero},
    {"Scatter", 9, scatterElements, 10},
    {"ScatterElements", 11, scatterElements},
    {"ScatterND", 11, scatterNd},
    {"TopK", 1, topK},
    {"Trilu", 14, triangle},
};

}  // namespace

llvm::ArrayRef<NodeRow> selectionRows() { return kRows; }

}  // namespace tfrt::compiler::import
