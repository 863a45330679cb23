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
  return node.giveOp("unique", {node.input(0)}, {axisOf(node), Attr{"sorted", true}.of(node)});
}

llvm::LogicalResult compress(Node& node) {
  return node.giveOp("compress", {node.input(0), node.input(1)}, {axisOf(node)});
}

llvm::LogicalResult reverseSequence(Node& node) {
  return node.giveOp("reverse_sequence", {node.input(0), wide(node, node.input(1))},
                     {Attr{"batch_axis", 1}.of(node), Attr{"time_axis", 0}.of(node)});
}

llvm::LogicalResult eyeLike(Node& node) {
  mlir::Type element = node.elementOf(node.input(0));
  if (node.has("dtype")) {
    element = node.elementNamed("dtype", onnx::DataType::kFloat, "no matrix of ");
    if (!element) return mlir::failure();
  }
  return node.giveOp("eye_like", {node.input(0)},
                     {Attr{"diagonal", 0, "k"}.of(node), node.graph.attribute("dtype", element)});
}

llvm::LogicalResult bitCast(Node& node) {
  mlir::Type element = node.elementNamed("to", onnx::DataType::kUndefined, "no cast to ");
  if (!element) return mlir::failure();
  return node.giveOp("bit_cast", {node.input(0)}, {node.graph.attribute("dtype", element)});
}

llvm::LogicalResult gridSample(Node& node) {
  std::string mode = node.text("mode", "linear");
  if (mode == "bilinear") mode = "linear";
  if (mode == "bicubic") mode = "cubic";
  std::string padding = node.text("padding_mode", "zeros");
  return node.giveOp(
      "grid_sample", {node.input(0), node.input(1)},
      {Attr{"align_corners", false}.of(node), node.graph.attribute("mode", llvm::StringRef(mode)),
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
  return node.giveOp(
      "roi_align", {node.input(0), node.input(1), wide(node, node.input(2))},
      {node.graph.attribute("half_pixel", coordinates == "half_pixel"),
       Attr{"height", 1, "output_height"}.of(node),
       node.graph.attribute("mode", llvm::StringRef(mode)),
       Attr{"samples", 0, "sampling_ratio"}.of(node), Attr{"scale", 1.0f, "spatial_scale"}.of(node),
       Attr{"width", 1, "output_width"}.of(node)});
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
    {"BitCast", 26, bitCast, 1, "as Cast"},
    {"CenterCropPad", 18, centerCropPad, 2},
    {"Col2Im", 18, col2Im, 3},
    {"Compress", 9, compress, 2},
    {"EyeLike", 9, eyeLike},
    {"GridSample", 16, gridSample, 2},
    {"ReverseSequence", 10, reverseSequence, 2},
    {"RoiAlign", 10, roiAlign, 3},
    {"Unique", 11, unique},
};

}  // namespace

llvm::ArrayRef<NodeRow> samplingRows() { return kSamplingRows; }

}  // namespace tfrt::compiler::import
