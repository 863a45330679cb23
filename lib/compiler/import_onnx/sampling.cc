// ONNX ops that sample images, choose slices or put them into another order.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

// One axis, or none: then all elements are in a row.
mlir::NamedAttribute axisOf(Node& node) {
  std::vector<int64_t> axes;
  if (node.has("axis")) axes.push_back(node.integer("axis", 0));
  return node.graph.attribute("axes", llvm::ArrayRef<int64_t>(axes));
}

llvm::LogicalResult unique(Node& node) {
  mlir::Operation* op = node.graph.create(
      "unique", {node.input(0)},
      {axisOf(node), node.graph.attribute("sorted", node.integer("sorted", 1) != 0)});
  if (!op) return mlir::failure();
  node.outputs.append(op->result_begin(), op->result_end());
  return mlir::success();
}

llvm::LogicalResult compress(Node& node) {
  return node.giveOp("compress", {node.input(0), node.input(1)}, {axisOf(node)});
}

llvm::LogicalResult reverseSequence(Node& node) {
  return node.giveOp("reverse_sequence", {node.input(0), wide(node, node.input(1))},
                     {node.graph.attribute("batch_axis", node.integer("batch_axis", 1)),
                      node.graph.attribute("time_axis", node.integer("time_axis", 0))});
}

llvm::LogicalResult eyeLike(Node& node) {
  mlir::Type element = node.elementOf(node.input(0));
  if (node.has("dtype")) {
    auto type = static_cast<onnx::DataType>(node.integer("dtype", 1));
    element = graph::elementType(onnx::DTypeOf(type), node.graph.context());
    if (!element) return node.fail("no matrix of " + onnx::DataTypeName(type));
  }
  return node.giveOp("eye_like", {node.input(0)},
                     {node.graph.attribute("diagonal", node.integer("k", 0)),
                      node.graph.attribute("dtype", element)});
}

llvm::LogicalResult bitCast(Node& node) {
  auto type = static_cast<onnx::DataType>(node.integer("to", 0));
  mlir::Type element = graph::elementType(onnx::DTypeOf(type), node.graph.context());
  if (!element) return node.fail("no cast to " + onnx::DataTypeName(type));
  return node.giveOp("bit_cast", {node.input(0)}, {node.graph.attribute("dtype", element)});
}

llvm::LogicalResult gridSample(Node& node) {
  std::string mode = node.text("mode", "linear");
  if (mode == "bilinear") mode = "linear";
  if (mode == "bicubic") mode = "cubic";
  std::string padding = node.text("padding_mode", "zeros");
  return node.giveOp("grid_sample", {node.input(0), node.input(1)},
                     {node.graph.attribute("align_corners", node.integer("align_corners", 0) != 0),
                      node.graph.attribute("mode", llvm::StringRef(mode)),
                      node.graph.attribute("padding", llvm::StringRef(padding))});
}

// Before opset 16 coordinates were those of the elements' corners.
llvm::LogicalResult roiAlign(Node& node) {
  std::string coordinates = node.text("coordinate_transformation_mode",
                                      node.version() < 16 ? "output_half_pixel" : "half_pixel");
  if (coordinates != "half_pixel" && coordinates != "output_half_pixel") {
    return node.fail("unknown coordinates '" + coordinates + "'");
  }
  std::string mode = node.text("mode", "avg");
  return node.giveOp("roi_align", {node.input(0), node.input(1), wide(node, node.input(2))},
                     {node.graph.attribute("half_pixel", coordinates == "half_pixel"),
                      node.graph.attribute("height", node.integer("output_height", 1)),
                      node.graph.attribute("mode", llvm::StringRef(mode)),
                      node.graph.attribute("samples", node.integer("sampling_ratio", 0)),
                      node.graph.attribute("scale", node.number("spatial_scale", 1)),
                      node.graph.attribute("width", node.integer("output_width", 1))});
}

llvm::LogicalResult centerCropPad(Node& node) {
  return node.giveOp(
      "center_crop_pad", {node.input(0), wide(node, node.input(1))},
      {node.graph.attribute("axes", llvm::ArrayRef<int64_t>(node.integers("axes")))});
}

llvm::LogicalResult col2Im(Node& node) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  for (llvm::StringRef name : {"dilations", "pads", "strides"}) {
    attributes.push_back(node.graph.attribute(name, llvm::ArrayRef<int64_t>(node.integers(name))));
  }
  return node.giveOp("add_blocks",
                     {node.input(0), wide(node, node.input(1)), wide(node, node.input(2))},
                     attributes);
}

constexpr NodeRow kSamplingRows[] = {
    {"BitCast", 26, bitCast, "as Cast"},
    {"CenterCropPad", 18, centerCropPad},
    {"Col2Im", 18, col2Im},
    {"Compress", 9, compress},
    {"EyeLike", 9, eyeLike},
    {"GridSample", 16, gridSample},
    {"ReverseSequence", 10, reverseSequence},
    {"RoiAlign", 10, roiAlign},
    {"Unique", 11, unique},
};

}  // namespace

llvm::ArrayRef<NodeRow> samplingRows() { return kSamplingRows; }

}  // namespace tfrt::compiler::import
