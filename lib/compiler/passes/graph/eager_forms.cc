// Rewrites calls of eager programs as the rows that fusion handles. Biases and normalisations by
// known numbers become products and sums; images with the channels last become convolutions of any
// rank. A convolution or a product may add in another order then.

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
  return make.finish(make.value("add", {op->getOperand(0), op->getOperand(1)}));
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

// Applies the op's attribute `activation` to the value.
Value activated(mlir::Operation* op, Value value, Replacement& make) {
  const std::string activation = textOf(op, "activation");
  const bool is_tanh_gelu = activation == "gelu_tanh";
  if (!value || activation == "none") return value;
  if (activation != "gelu" && !is_tanh_gelu) return make.value(activation, {value});
  return make.value("gelu", {value}, {make.graph().attribute("approximate", is_tanh_gelu)});
}

llvm::LogicalResult conv2d(Conv2dOp op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<mlir::NamedAttribute> windows;
  if (!windowsOf(op, facts, make.graph(), windows)) return mlir::failure();
  return make.finish(make.value("conv", {op->getOperand(0), op->getOperand(1)}, windows));
}

llvm::LogicalResult conv2dBias(Conv2dBiasOp op, Replacement& make, ValueFacts& facts) {
  llvm::SmallVector<mlir::NamedAttribute> windows;
  if (!windowsOf(op, facts, make.graph(), windows)) return mlir::failure();
  return make.finish(activated(
      op, make.value("conv", {op->getOperand(0), op->getOperand(1), op->getOperand(2)}, windows),
      make));
}

bool areFloats(mlir::Operation* op, ValueFacts& facts) {
  return llvm::all_of(op->getOperands(),
                      [&](Value value) { return facts.of(value).dtype == DType::kF32; });
}

llvm::LogicalResult matmulBias(MatmulBiasOp op, Replacement& make, ValueFacts& facts) {
  if (!areFloats(op, facts)) return mlir::failure();
  Value product = make.value("matmul", {op->getOperand(0), op->getOperand(1)},
                             {make.graph().attribute("transpose_a", boolOf(op, "transpose_a")),
                              make.graph().attribute("transpose_b", boolOf(op, "transpose_b"))});
  return make.finish(activated(op, make.value("add", {product, op->getOperand(2)}), make));
}

// One factor and one summand for each channel, which the convolution before it takes.
llvm::LogicalResult batchNorm(BatchNormOp op, Replacement& make, ValueFacts& facts) {
  if (boolOf(op, "is_training") || textOf(op, "data_format") != "NHWC") return mlir::failure();
  if (op->getNumOperands() != 5 || !areFloats(op, facts)) return mlir::failure();
  if (!llvm::all_of(llvm::drop_begin(op->getOperands()),
                    [&](Value value) { return facts.isConstant(value); })) {
    return mlir::failure();
  }
  if (!llvm::all_of(llvm::drop_begin(op->getResults()),
                    [](Value result) { return result.use_empty(); })) {
    return mlir::failure();
  }
  Value scale = op->getOperand(1), offset = op->getOperand(2), mean = op->getOperand(3);
  Value epsilon = make.graph().number(make.graph().builder().getF32Type(), numberOf(op, "epsilon"));
  Value deviation = make.value("sqrt", {make.value("add", {op->getOperand(4), epsilon})});
  Value factor = make.value("div", {scale, deviation});
  Value summand = make.value("sub", {offset, make.value("mul", {mean, factor})});
  return make.finish(make.value("add", {make.value("mul", {op->getOperand(0), factor}), summand}));
}

}  // namespace

void addEagerForms(mlir::RewritePatternSet& patterns, ValueFacts& facts, bool exact) {
  addRule(patterns, facts, biasAdd);
  if (exact) return;
  addRule(patterns, facts, conv2d);
  addRule(patterns, facts, conv2dBias);
  addRule(patterns, facts, matmulBias);
  addRule(patterns, facts, batchNorm);
}

}  // namespace tfrt::compiler::graph
