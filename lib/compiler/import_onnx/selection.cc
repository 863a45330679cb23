// ONNX ops that take some of the elements, or say where they are. Indices below 0 count from the
// end, as those of the table's ops.

#include <algorithm>
#include <limits>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

llvm::LogicalResult gather(Node& node) {
  auto axis = node.axisOf(node.input(0), 0);
  if (!axis) return mlir::failure();
  return node.giveOp("gather", {node.input(0), node.input(1), node.graph.integer(*axis)});
}

llvm::LogicalResult gatherElements(Node& node) {
  auto axis = node.axisOf(node.input(0), 0);
  if (!axis) return mlir::failure();
  return node.giveOp("gather_elements", {node.input(0), node.input(1)},
                     {node.graph.attribute("axis", *axis)});
}

// Batch dimensions go together: their numbers come first among the places.
llvm::LogicalResult gatherNd(Node& node) {
  Value data = node.input(0), indices = wide(node, node.input(1));
  const auto batch = static_cast<size_t>(std::max<int64_t>(node.integer("batch_dims", 0), 0));
  auto rank = indices ? node.rank(indices) : std::nullopt;
  if (!rank) return mlir::failure();
  if (batch >= *rank) return node.fail("batch_dims is " + llvm::Twine(batch));
  if (batch == 0) return node.give(node.make("gather_nd", {data, indices}));
  const auto last = static_cast<int64_t>(*rank) - 1;
  Value outer = pieceOf(node, shapeOf(node, indices), 0, last);
  Value sizes = concat(node, {outer, node.graph.integers({1})}, 0);
  llvm::SmallVector<Value> places;
  for (size_t i = 0; i < batch; ++i) {
    std::vector<int64_t> ones(*rank, 1);
    ones[i] = -1;
    Value numbers = reshape(node, range(node, sizeOf(node, indices, i)), ones);
    places.push_back(node.make("broadcast_to", {numbers, sizes}));
  }
  places.push_back(indices);
  return node.give(node.make("gather_nd", {data, concat(node, places, last)}));
}

// Values: those that are off and on. The table's op knows no indices that count from the end.
llvm::LogicalResult oneHot(Node& node) {
  Value depth = reshape(node, wide(node, node.input(1)), {});
  Value given = wide(node, node.input(0));
  Value indices = node.make("select", {node.make("less", {given, node.graph.integer(0)}),
                                       node.make("add", {given, depth}), given});
  Value values = ofShape(node, node.input(2), {2}, "the vector of values");
  auto value = [&](int64_t which) {
    return node.make("gather", {values, node.graph.integer(which), node.graph.integer(0)});
  };
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  auto axis = node.axis(node.integer("axis", -1), *rank + 1);
  if (!axis) return mlir::failure();
  return node.give(node.make("one_hot", {indices, depth, value(1), value(0)},
                             {node.graph.attribute("axis", static_cast<int64_t>(*axis))}));
}

// Without a bound for the scores all count; without a number of boxes there are none.
llvm::LogicalResult nonMaxSuppression(Node& node) {
  mlir::Type f32 = node.graph.builder().getF32Type();
  Value boxes = node.input(2) ? node.input(2) : node.graph.integer(0);
  Value overlap = node.input(3) ? node.input(3) : node.graph.number(f32, 0);
  Value score = node.input(4) ? node.input(4)
                              : node.graph.number(f32, -std::numeric_limits<double>::infinity());
  return node.give(node.make("non_max_suppression",
                             {node.input(0), node.input(1), boxes, overlap, score},
                             {Attr{"center_point", false, "center_point_box"}.of(node)}));
}

llvm::LogicalResult topK(Node& node) {
  Value k = node.version() < 10 ? node.graph.integer(node.integer("k", 0)) : node.input(1);
  return node.giveOp(
      "top_k", {node.input(0), k},
      {Attr{"axis", -1}.of(node), Attr{"largest", true}.of(node), Attr{"sorted", true}.of(node)});
}

llvm::LogicalResult triangle(Node& node) {
  Value diagonal = node.input(1) ? node.input(1) : node.graph.integer(0);
  return node.giveOp("triangle", {node.input(0), diagonal}, {Attr{"upper", true}.of(node)});
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
  auto axis = node.axisOf(node.input(0), 0);
  if (!axis) return mlir::failure();
  return node.give(node.make(
      "scatter_elements", node.inputs(),
      {node.graph.attribute("axis", *axis), node.graph.attribute("reduction", reduction)}));
}

llvm::LogicalResult scatterNd(Node& node) {
  std::string reduction;
  if (mlir::failed(reductionOf(node, reduction))) return mlir::failure();
  return node.give(
      node.make("scatter_nd", node.inputs(), {node.graph.attribute("reduction", reduction)}));
}

// The update's places along an axis, from a place of each batch's own on, perhaps around the end.
llvm::LogicalResult tensorScatter(Node& node) {
  Value past = node.input(0), update = node.input(1);
  auto rank = past && update ? node.rank(past) : std::nullopt;
  auto axis = rank ? node.axisOf(past, -2) : std::nullopt;
  if (!axis) return mlir::failure();
  if (*axis == 0) return node.fail("the axis is that of the batch");
  std::string mode = node.text("mode", "linear");
  if (mode != "linear" && mode != "circular") return node.fail("unknown mode '" + mode + "'");
  std::vector<int64_t> along(*rank, 1), batch(*rank, 1);
  along[*axis] = -1;
  batch[0] = -1;
  Value places = reshape(node, range(node, sizeOf(node, update, *axis)), along);
  Value first = node.input(2) ? reshape(node, wide(node, node.input(2)), batch) : Value();
  if (first) places = node.make("add", {places, first});
  Value size = sizeOf(node, past, *axis);
  if (mode == "circular") places = node.make("mod", {places, size});
  if (first) {
    if (auto known = node.graph.elementsOf(node.input(2))) {
      for (int64_t index : *known) {
        if (index < 0) return node.fail("a write index is " + llvm::Twine(index));
      }
    }
    // An index below 0 would count from the end: so far below it is an error of the run.
    Value is_wrong = node.make("less", {first, node.graph.integer(0)});
    places = node.make("select", {is_wrong, node.make("sub", {first, size}), places});
  }
  places = node.make("broadcast_to", {places, shapeOf(node, update)});
  return node.give(
      node.make("scatter_elements", {past, places, update}, {node.graph.attribute("axis", *axis)}));
}

constexpr NodeRow kSelectionRows[] = {
    {"CumSum", 11, same<"cumulative_sum", Attr{"exclusive", false}, Attr{"reverse", false}>, 2},
    {"Gather", 1, gather, 2},
    {"GatherElements", 11, gatherElements, 2},
    {"GatherND", 11, gatherNd, 2},
    {"NonMaxSuppression", 10, nonMaxSuppression, 2},
    {"NonZero", 9, same<"nonzero">},
    {"OneHot", 9, oneHot, 3},
    {"Scatter", 9, scatterElements, 3, "", 10},
    {"ScatterElements", 11, scatterElements, 3},
    {"ScatterND", 11, scatterNd, 3},
    {"TensorScatter", 24, tensorScatter, 2},
    {"TopK", 1, topK},
    {"TopK", 10, topK, 2},
    {"Trilu", 14, triangle},
};

}  // namespace

llvm::ArrayRef<NodeRow> selectionRows() { return kSelectionRows; }

}  // namespace tfrt::compiler::import
