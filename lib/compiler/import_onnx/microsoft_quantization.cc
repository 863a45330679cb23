// Ops of the domain com.microsoft on integers that stand for floats.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// Scale and zero point are of all elements.
Value dequantizedAt(Node& node, size_t input) {
  return dequantized(node, node.input(input), node.input(input + 1), node.input(input + 2), 0);
}

llvm::LogicalResult giveQuantized(Node& node, Value value, size_t scale) {
  if (!node.input(scale)) return node.fail("input " + llvm::Twine(scale) + " is left out");
  mlir::Type dtype;
  if (!node.input(scale + 1)) dtype = node.elementOf(node.input(0));
  return node.give(quantized(node, value, node.input(scale), node.input(scale + 1), 0, 0, dtype));
}

// A row of the table between two values.
template <OpName name>
llvm::LogicalResult qLinearBinary(Node& node) {
  for (size_t i : {3, 4}) {
    if (!node.input(i)) return node.fail("input " + llvm::Twine(i) + " is left out");
  }
  Value result = node.make(name.text, {dequantizedAt(node, 0), dequantizedAt(node, 3)});
  return giveQuantized(node, result, 6);
}

// A row of the table of one value.
template <OpName name, Attr... attributes>
llvm::LogicalResult qLinearUnary(Node& node) {
  Value result = node.make(name.text, {dequantizedAt(node, 0)}, {attributes.of(node)...});
  return giveQuantized(node, result, 3);
}

llvm::LogicalResult qLinearSoftmax(Node& node) {
  const int64_t opset = node.integer("opset", 0);
  if (opset < 1) return node.fail("opset is " + llvm::Twine(opset) + ", expected 1 or more");
  Value result = softmaxOver(node, "softmax", dequantizedAt(node, 0), opset < 13);
  return giveQuantized(node, result, 3);
}

// The values follow scale and zero point of the result, each with its own.
llvm::LogicalResult qLinearConcat(Node& node) {
  if (node.num_inputs() % 3 != 2 || node.num_inputs() < 5) {
    return node.fail("there are " + llvm::Twine(node.num_inputs()) +
                     " inputs, expected two and then three for each value");
  }
  auto axis = node.axisOf(node.input(2), 0);
  if (!axis) return mlir::failure();
  if (!node.has("axis")) return node.fail("there is no axis");
  llvm::SmallVector<Value> values;
  for (size_t i = 2; i < node.num_inputs(); i += 3) {
    if (!node.input(i) || !node.input(i + 1)) {
      return node.fail("input " + llvm::Twine(node.input(i) ? i + 1 : i) + " is left out");
    }
    values.push_back(dequantizedAt(node, i));
  }
  if (node.has_failed()) return mlir::failure();
  return node.give(quantized(node, concat(node, values, *axis), node.input(0), node.input(1), 0));
}

llvm::LogicalResult qLinearAveragePool(Node& node) {
  auto attributes = poolAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(Attr{"count_padding", false, "count_include_pad"}.of(node));
  attributes->push_back(Attr{"channels_last", false}.of(node));
  return giveQuantized(node, node.make("average_pool", {dequantizedAt(node, 0)}, *attributes), 3);
}

llvm::LogicalResult qLinearGlobalPool(Node& node) {
  auto rank = node.rank(node.input(0));
  if (!rank) return mlir::failure();
  if (*rank < 3) {
    return node.fail("the input has rank " + llvm::Twine(*rank) + ", expected 3 or more");
  }
  std::vector<int64_t> axes(*rank - 2);
  std::iota(axes.begin(), axes.end(), node.integer("channels_last", 0) != 0 ? 1 : 2);
  return giveQuantized(node, reduce(node, "reduce_mean", dequantizedAt(node, 0), axes, true), 3);
}

// The matrix, transposed if the attribute says so.
Value matrixOf(Node& node, size_t input, llvm::StringRef attribute) {
  auto rank = node.rank(node.input(input));
  if (!rank) return {};
  if (*rank != 2) {
    (void)node.fail("input " + llvm::Twine(input) + " is of rank " + llvm::Twine(*rank) +
                    ", expected 2");
    return {};
  }
  if (node.integer(attribute, 0) == 0) return node.input(input);
  return transpose(node, node.input(input), {1, 0});
}

// The summand is in units of the product. Without a scale of the result it is float.
llvm::LogicalResult qGemm(Node& node) {
  if (!node.input(3) || !node.input(4)) {
    return node.fail("input " + llvm::Twine(node.input(3) ? 4 : 3) + " is left out");
  }
  Value result = integerProduct(node, {.a = matrixOf(node, 0, "transA"),
                                       .b = matrixOf(node, 3, "transB"),
                                       .a_scale = node.input(1),
                                       .b_scale = node.input(4),
                                       .a_zero = node.input(2),
                                       .b_zero = node.input(5),
                                       .addend = node.input(6),
                                       .alpha = node.number("alpha", 1)});
  if (!node.input(7)) return node.give(result);
  return giveQuantized(node, result, 7);
}

llvm::LogicalResult giveBiased(Node& node, Value product, size_t bias) {
  if (node.input(bias)) product = node.make("add", {product, node.input(bias)});
  return node.give(product);
}

llvm::LogicalResult dynamicMatMul(Node& node) {
  mlir::Operation* a = node.graph.create("dynamic_quantize", {node.input(0)});
  if (!a) return mlir::failure();
  Value product = integerProduct(node, {.a = a->getResult(0),
                                        .b = node.input(1),
                                        .a_scale = a->getResult(1),
                                        .b_scale = node.input(2),
                                        .a_zero = a->getResult(2),
                                        .b_zero = node.input(3)});
  return giveBiased(node, product, 4);
}

llvm::LogicalResult matMulToFloat(Node& node) {
  Value product = integerProduct(node, {.a = node.input(0),
                                        .b = node.input(1),
                                        .a_scale = node.input(2),
                                        .b_scale = node.input(3),
                                        .a_zero = node.input(4),
                                        .b_zero = node.input(5)});
  return giveBiased(node, product, 6);
}

constexpr NodeRow kMicrosoftQuantizationRows[] = {
    {"DynamicQuantizeMatMul", 1, dynamicMatMul, 3},
    {"MatMulIntegerToFloat", 1, matMulToFloat, 4},
    {"QGemm", 1, qGemm, 2},
    {"QLinearAdd", 1, qLinearBinary<"add">, 2},
    {"QLinearAveragePool", 1, qLinearAveragePool, 2},
    {"QLinearConcat", 1, qLinearConcat, 1},
    {"QLinearGlobalAveragePool", 1, qLinearGlobalPool, 2},
    {"QLinearLeakyRelu", 1, qLinearUnary<"leaky_relu", Attr{"alpha", 0.01f}>, 2},
    {"QLinearMul", 1, qLinearBinary<"mul">, 2},
    {"QLinearSigmoid", 1, qLinearUnary<"sigmoid">, 2},
    {"QLinearSoftmax", 1, qLinearSoftmax, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> microsoftQuantizationRows() { return kMicrosoftQuantizationRows; }

}  // namespace tfrt::compiler::import
