// ONNX ops that are layers of networks: products, windows, normalisations.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

mlir::Type elementOf(Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType()).getElementType();
}

// Vectors are matrices of one row or column, whose dimension of 1 goes afterwards.
llvm::LogicalResult matmul(Node& node) {
  Value a = node.input(0), b = node.input(1);
  auto rank_a = node.rank(a), rank_b = node.rank(b);
  if (!rank_a || !rank_b) return mlir::failure();
  if (*rank_a == 0 || *rank_b == 0) return node.fail("an input is a scalar");
  if (*rank_a == 1) a = node.graph.value("expand_dims", {a, node.graph.integer(0)});
  if (*rank_b == 1) b = node.graph.value("expand_dims", {b, node.graph.integer(1)});
  if (!a || !b) return mlir::failure();
  bool is_plain = *rank_a <= 2 && *rank_b <= 2;
  Value product = node.graph.value(is_plain ? "matmul" : "batch_matmul", {a, b});
  if (!product || (*rank_a > 1 && *rank_b > 1)) return node.give(product);
  llvm::SmallVector<int64_t> axes;
  if (*rank_a == 1) axes.push_back(-2);
  if (*rank_b == 1) axes.push_back(-1);
  return node.giveOp("squeeze", {product},
                     {node.graph.attribute("axes", llvm::ArrayRef<int64_t>(axes))});
}

// alpha * a * b + beta * c
llvm::LogicalResult gemm(Node& node) {
  Value product =
      node.graph.value("matmul", {node.input(0), node.input(1)},
                       {node.graph.attribute("transpose_a", node.integer("transA", 0) != 0),
                        node.graph.attribute("transpose_b", node.integer("transB", 0) != 0)});
  if (!product) return mlir::failure();
  auto scaled = [&](Value value, float factor) {
    if (factor == 1 || !value) return value;
    return node.graph.value("mul", {value, node.graph.number(elementOf(value), factor)});
  };
  product = scaled(product, node.number("alpha", 1));
  if (!node.input(2)) return node.give(product);
  Value summand = scaled(node.input(2), node.number("beta", 1));
  if (!product || !summand) return mlir::failure();
  return node.giveOp("add", {product, summand});
}

// What convolutions and pools say of their windows. Empty after an error.
std::optional<llvm::SmallVector<mlir::NamedAttribute>> windowAttributes(Node& node,
                                                                        bool has_dilations = true) {
  llvm::SmallVector<mlir::NamedAttribute> attributes;
  std::string padding = node.text("auto_pad", "NOTSET");
  std::vector<int64_t> pads = node.integers("pads");
  if (padding == "SAME_UPPER" || padding == "SAME_LOWER") {
    attributes.push_back(
        node.graph.attribute("padding", padding == "SAME_UPPER" ? "same_upper" : "same_lower"));
  } else if (padding == "NOTSET" || padding.empty() || padding == "VALID") {
    if (padding != "VALID") {
      attributes.push_back(node.graph.attribute("pads", llvm::ArrayRef<int64_t>(pads)));
    }
  } else {
    (void)node.fail("unknown auto_pad '" + padding + "'");
    return std::nullopt;
  }
  auto copy = [&](llvm::StringRef name) {
    if (node.has(name)) {
      attributes.push_back(
          node.graph.attribute(name, llvm::ArrayRef<int64_t>(node.integers(name))));
    }
  };
  copy("strides");
  if (has_dilations) copy("dilations");
  return attributes;
}

llvm::LogicalResult conv(Node& node) {
  auto attributes = windowAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(node.graph.attribute("groups", node.integer("group", 1)));
  return node.giveOp("conv", {node.input(0), node.input(1), node.input(2)}, *attributes);
}

llvm::LogicalResult convTranspose(Node& node) {
  if (node.has("output_shape")) return node.fail("output_shape is not supported");
  auto attributes = windowAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(node.graph.attribute("groups", node.integer("group", 1)));
  if (node.has("output_padding")) {
    attributes->push_back(node.graph.attribute(
        "output_padding", llvm::ArrayRef<int64_t>(node.integers("output_padding"))));
  }
  return node.giveOp("conv_transpose", {node.input(0), node.input(1), node.input(2)}, *attributes);
}

std::optional<llvm::SmallVector<mlir::NamedAttribute>> poolAttributes(Node& node) {
  if (!node.has("kernel_shape")) {
    (void)node.fail("there is no kernel_shape");
    return std::nullopt;
  }
  auto attributes = windowAttributes(node);
  if (!attributes) return std::nullopt;
  attributes->push_back(
      node.graph.attribute("kernel", llvm::ArrayRef<int64_t>(node.integers("kernel_shape"))));
  attributes->push_back(node.graph.attribute("ceil", node.integer("ceil_mode", 0) != 0));
  return attributes;
}

llvm::LogicalResult maxPool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  if (!node.has_output(1)) return node.giveOp("max_pool", {node.input(0)}, *attributes);
  if (node.integer("storage_order", 0) != 0) return node.fail("storage_order 1 is not supported");
  mlir::Operation* op = node.graph.create("max_pool_with_places", {node.input(0)}, *attributes);
  if (!op) return mlir::failure();
  node.outputs.append({op->getResult(0), op->getResult(1)});
  return mlir::success();
}

llvm::LogicalResult averagePool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(
      node.graph.attribute("count_padding", node.integer("count_include_pad", 0) != 0));
  return node.giveOp("average_pool", {node.input(0)}, *attributes);
}

llvm::LogicalResult lpPool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(node.graph.attribute("p", node.integer("p", 2)));
  return node.giveOp("lp_pool", {node.input(0)}, *attributes);
}

// Over all dimensions but batch and channels.
llvm::LogicalResult globalPool(Node& node, llvm::StringRef reduction) {
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  if (*rank < 3)
    return node.fail("the input has rank " + llvm::Twine(*rank) + ", expected 3 or more");
  std::vector<int64_t> axes(*rank - 2);
  std::iota(axes.begin(), axes.end(), 2);
  return node.giveOp(reduction, {node.input(0), node.graph.integers(axes)},
                     {node.graph.attribute("keep_dims", true)});
}
llvm::LogicalResult globalAveragePool(Node& node) { return globalPool(node, "reduce_mean"); }
llvm::LogicalResult globalMaxPool(Node& node) { return globalPool(node, "reduce_max"); }

// Over one axis, or, before opset 13, over it and all that follow.
llvm::LogicalResult softmaxOf(Node& node, llvm::StringRef name) {
  Value value = node.input(0);
  auto rank = node.rank(value);
  if (!rank) return mlir::failure();
  const bool flattens = node.version() < 13;
  auto axis = node.axis(node.integer("axis", flattens ? 1 : -1), std::max<size_t>(*rank, 1));
  if (!axis) return mlir::failure();
  if (*axis + 1 == *rank) return node.giveOp(name, {value});
  if (flattens) {
    // The sizes that follow become one, and come back afterwards.
    Dim inner = 1;
    const ValueType type = node.graph.typeOf(value);
    for (size_t i = *axis; i < *rank; ++i) {
      inner = SymbolicShape({inner, type.shape.dim(i)}).num_elements();
    }
    if (!inner.is_known()) return node.fail("the sizes from the axis on are not known");
    Value flat = reshape(node, value, {-1, inner.value()});
    Value result = flat ? node.graph.value(name, {flat}) : Value();
    Value sizes =
        result ? node.graph.value(
                     "shape_of", {value},
                     {node.graph.attribute("dtype", mlir::Type(node.graph.builder().getI64Type()))})
               : Value();
    return sizes ? node.giveOp("reshape", {result, sizes}) : mlir::failure();
  }
  llvm::SmallVector<int64_t> swapped(*rank);
  std::iota(swapped.begin(), swapped.end(), 0);
  std::swap(swapped[*axis], swapped.back());
  Value moved = transpose(node, value, swapped);
  Value result = moved ? node.graph.value(name, {moved}) : Value();
  return node.give(transpose(node, result, swapped));
}
llvm::LogicalResult softmax(Node& node) { return softmaxOf(node, "softmax"); }
llvm::LogicalResult logSoftmax(Node& node) { return softmaxOf(node, "log_softmax"); }

// A vector of the scale's size, all of one number.
Value filledLike(Node& node, Value scale, double number) {
  auto type = mlir::cast<mlir::RankedTensorType>(scale.getType());
  if (!type.hasStaticShape()) {
    (void)node.fail("the size of the scale is not known");
    return {};
  }
  Value one = node.graph.number(type.getElementType(), number);
  return node.graph.value("broadcast_to", {one, node.graph.integers(type.getShape())});
}

llvm::LogicalResult layerNormalization(Node& node) {
  if (node.has_output(1) || node.has_output(2)) {
    return node.fail("the mean and the deviation as outputs are not supported");
  }
  Value value = node.input(0), scale = node.input(1), offset = node.input(2);
  auto rank = node.rank(value);
  if (!rank || !scale) return mlir::failure();
  auto axis = node.axis(node.integer("axis", -1), *rank);
  if (!axis) return mlir::failure();
  if (!offset) offset = filledLike(node, scale, 0);
  if (!offset) return mlir::failure();
  auto epsilon = node.graph.attribute("epsilon", node.number("epsilon", 1e-5f));
  if (*axis + 1 == *rank) return node.giveOp("layer_norm", {value, scale, offset}, {epsilon});
  int64_t inner = 1;
  const ValueType type = node.graph.typeOf(value);
  for (size_t i = *axis; i < *rank; ++i) {
    if (!type.shape.dim(i).is_known()) return node.fail("the sizes from the axis on are not known");
    inner *= type.shape.dim(i).value();
  }
  Value flat = reshape(node, value, {-1, inner});
  scale = reshape(node, scale, {inner});
  offset = reshape(node, offset, {inner});
  if (!flat || !scale || !offset) return mlir::failure();
  Value result = node.graph.value("layer_norm", {flat, scale, offset}, {epsilon});
  Value sizes = node.graph.value(
      "shape_of", {value},
      {node.graph.attribute("dtype", mlir::Type(node.graph.builder().getI64Type()))});
  return result && sizes ? node.giveOp("reshape", {result, sizes}) : mlir::failure();
}

// One number for each channel, where it meets dimension 1 of a value of the rank.
Value perChannel(Node& node, Value vector, size_t rank) {
  if (!vector || rank <= 2) return vector;
  llvm::SmallVector<int64_t> sizes(rank - 1, 1);
  sizes[0] = -1;
  return reshape(node, vector, sizes);
}

// (x - mean) / sqrt(variance + epsilon) * scale + offset, as x * factor + summand: what depends on
// the constants alone is computed once.
llvm::LogicalResult batchNormalization(Node& node) {
  if (node.integer("training_mode", 0) != 0 || (node.version() < 14 && node.has_output(1))) {
    return node.fail("the model was exported for training; export it for inference");
  }
  graph::GraphBuilder& graph = node.graph;
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  Value scale = node.input(1), offset = node.input(2), mean = node.input(3);
  Value variance = node.input(4);
  if (!scale || !offset || !mean || !variance) return node.fail("it has five inputs");
  Value epsilon = graph.number(elementOf(variance), node.number("epsilon", 1e-5f));
  Value positive = graph.value("add", {variance, epsilon});
  Value deviation = positive ? graph.value("sqrt", {positive}) : Value();
  Value factor = deviation ? graph.value("div", {scale, deviation}) : Value();
  Value shift = factor ? graph.value("mul", {mean, factor}) : Value();
  Value summand = shift ? graph.value("sub", {offset, shift}) : Value();
  factor = perChannel(node, factor, *rank);
  summand = perChannel(node, summand, *rank);
  if (!factor || !summand) return mlir::failure();
  Value product = graph.value("mul", {node.input(0), factor});
  return product ? node.giveOp("add", {product, summand}) : mlir::failure();
}

constexpr NodeRow kRows[] = {
    {"AveragePool", 7, averagePool},
    {"BatchNormalization", 7, batchNormalization},
    {"Conv", 1, conv},
    {"ConvTranspose", 1, convTranspose},
    {"Gemm", 7, gemm},
    {"GlobalAveragePool", 1, globalAveragePool},
    {"GlobalMaxPool", 1, globalMaxPool},
    {"LayerNormalization", 17, layerNormalization},
    {"LogSoftmax", 1, logSoftmax},
    {"LpPool", 2, lpPool},
    {"MatMul", 1, matmul},
    {"MaxPool", 1, maxPool},
    {"Softmax", 1, softmax},
};

}  // namespace

llvm::ArrayRef<NodeRow> layerRows() { return kRows; }

}  // namespace tfrt::compiler::import
