// What eager programs call as the rows that fusion knows: biases as sums, images with the channels
// last as convolutions of any rank. A convolution may add in another order then.

#include <string>
#include <vector>

#include "graph_passes.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;
using Integers = std::vector<int64_t>;

llvm::LogicalResult biasAdd(BiasAddOp op, Replacement& make, ValueFacts& facts) {
  if (textOf(op, "data_format") != "NHWC") return mlir::failure();
  return make.finish(make.value("add", {op.getOperand(0), op.getOperand(1)}));
}

// The attributes of graph.conv that say what those of conv2d do. False: there are none.
bool windowsOf(mlir::Operation* op, ValueFacts& facts, GraphBuilder& graph,
               llvm::SmallVectorImpl<mlir::NamedAttribute>& windows) {
  const ValueType &image = facts.of(op->getOperand(0)), &filter = facts.of(op->getOperand(1));
  if (textOf(op, "data_format") != "NHWC" || image.dtype != DType::kF32) return false;
  if (!image.shape.has_rank() || image.shape.rank() != 4) return false;
  if (!filter.shape.has_rank() || filter.shape.rank() != 4) return false;
  // With fewer channels the filter would be for groups of them.
  if (!image.shape.dim(3).IsSameAs(filter.shape.dim(2))) return false;
  const Integers strides = integersOf(op, "strides"), dilations = integersOf(op, "dilations");
  if (strides.size() != 4 || dilations.size() != 4) return false;
  windows.push_back(graph.attribute("channels_last", true));
  windows.push_back(graph.attribute("groups", int64_t{1}));
  windows.push_back(graph.attribute("strides", llvm::ArrayRef<int64_t>{strides[1], strides[2]}));
  windows.push_back(
      graph.attribute("dilations", llvm::ArrayRef<int64_t>{dilations[1], dilations[2]}));
  const std::string padding = textOf(op, "padding");
  if (padding == "SAME") {
    windows.push_back(graph.attribute("padding", "same_upper"));
  } else if (padding == "EXPLICIT") {
    const Integers pads = integersOf(op, "explicit_paddings");
    if (pads.size() != 8) return false;
    windows.push_back(
        graph.attribute("pads", llvm::ArrayRef<int64_t>{pads[2], pads[4], pads[3], pads[5]}));
  } else if (padding != "VALID") {
    return false;
  }
  return true;
}

llvm::LogicalResult conv2d(Conv2dOp op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<mlir::NamedAttribute> windows;
  if (!windowsOf(op, facts, make.graph(), windows)) return mlir::failure();
  return make.finish(make.value("conv", {op->getOperand(0), op->getOperand(1)}, windows));
}

llvm::LogicalResult conv2dBias(Conv2dBiasOp op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<mlir::NamedAttribute> windows;
  const std::string activation = textOf(op, "activation");
  const bool is_tanh_gelu = activation == "gelu_tanh";
  if (!windowsOf(op, facts, make.graph(), windows)) return mlir::failure();
  Value sum =
      make.value("conv", {op->getOperand(0), op->getOperand(1), op->getOperand(2)}, windows);
  if (!sum || activation == "none") return make.finish(sum);
  if (activation != "gelu" && !is_tanh_gelu) return make.finish(make.value(activation, {sum}));
  return make.finish(
      make.value("gelu", {sum}, {make.graph().attribute("approximate", is_tanh_gelu)}));
}

}  // namespace

void addEagerForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact) {
  addRule(patterns, facts, biasAdd);
  if (exact) return;
  addRule(patterns, facts, conv2d);
  addRule(patterns, facts, conv2dBias);
}

}  // namespace tfrt::compiler::graph
