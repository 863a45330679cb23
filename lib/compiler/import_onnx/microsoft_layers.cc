// Layers of the domain com.microsoft: products, convolutions, activations and recurrent layers.

#include <numeric>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// An activation by the error function or its approximation by tanh, of x or x + bias.
template <bool approximate>
llvm::LogicalResult geluOf(Node& node) {
  Value x = node.input(0);
  if (node.input(1)) x = node.make("add", {x, node.input(1)});
  return node.give(node.make("gelu", {x}, {node.graph.attribute("approximate", approximate)}));
}

// With its first dimension behind the others but the last one.
Value batchLast(Node& node, Value value, size_t rank) {
  if (rank < 3) {
    (void)node.fail("a matrix of rank " + llvm::Twine(rank) + " has no batch to transpose");
    return {};
  }
  std::vector<int64_t> permutation(rank);
  std::iota(permutation.begin(), permutation.end(), 1);
  permutation[rank - 2] = 0;
  permutation[rank - 1] = static_cast<int64_t>(rank) - 1;
  return transpose(node, value, permutation);
}

// alpha * a * b, either transposed before.
llvm::LogicalResult fusedMatMul(Node& node) {
  Value a = node.input(0), b = node.input(1);
  auto rank_a = node.rank(a), rank_b = node.rank(b);
  if (!rank_a || !rank_b) return mlir::failure();
  const bool is_matrix = *rank_a >= 2 && *rank_b >= 2;
  const bool transpose_a = node.integer("transA", 0) != 0;
  const bool transpose_b = node.integer("transB", 0) != 0;
  if (node.integer("transBatchA", 0) != 0) a = batchLast(node, a, *rank_a);
  if (node.integer("transBatchB", 0) != 0) b = batchLast(node, b, *rank_b);
  if (!is_matrix && (transpose_a || transpose_b)) return node.fail("a vector is transposed");
  Value product = is_matrix
                      ? node.make(*rank_a == 2 && *rank_b == 2 ? "matmul" : "batch_matmul", {a, b},
                                  {node.graph.attribute("transpose_a", transpose_a),
                                   node.graph.attribute("transpose_b", transpose_b)})
                      : matrixProduct(node, a, b);
  const float alpha = node.number("alpha", 1);
  if (alpha != 1) product = node.make("mul", {product, node.numberLike(product, alpha)});
  return node.give(product);
}

// The function of one number that `activation` names, with its parameters.
Value activated(Node& node, Value value) {
  const std::string name = node.text("activation", "");
  const std::vector<float> given = node.numbers("activation_params");
  size_t wanted = 0;
  if (name == "LeakyRelu") wanted = 1;
  if (name == "Clip" || name == "HardSigmoid") wanted = 2;
  if (given.size() != wanted) {
    (void)node.fail("the activation '" + name + "' has " + llvm::Twine(given.size()) +
                    " parameters, expected " + llvm::Twine(wanted));
    return {};
  }
  if (name.empty()) return value;
  if (name == "Relu") return node.make("relu", {value});
  if (name == "Tanh") return node.make("tanh", {value});
  if (name == "Sigmoid") return node.make("sigmoid", {value});
  if (name == "HardSwish") return node.make("hard_swish", {value});
  auto attribute = [&](llvm::StringRef key, size_t i) {
    return node.graph.attribute(key, given[i]);
  };
  if (name == "LeakyRelu") return node.make("leaky_relu", {value}, {attribute("alpha", 0)});
  if (name == "HardSigmoid") {
    return node.make("hard_sigmoid", {value}, {attribute("alpha", 0), attribute("beta", 1)});
  }
  if (name == "Clip") {
    return node.make("clip",
                     {value, node.numberLike(value, given[0]), node.numberLike(value, given[1])});
  }
  (void)node.fail("unknown activation '" + name + "'");
  return {};
}

llvm::LogicalResult fusedConv(Node& node) {
  auto attributes = convolutionAttributes(node);
  Value filter = filterOf(node, 1);
  if (!attributes || !filter) return mlir::failure();
  Value result = node.make("conv", {node.input(0), filter, node.input(2)}, *attributes);
  if (node.input(3)) result = node.make("add", {result, node.input(3)});
  return node.give(activated(node, result));
}

// The image has its channels last; the filter is as that of Conv.
llvm::LogicalResult nhwcConv(Node& node) {
  auto attributes = convolutionAttributes(node);
  Value image = node.input(0), filter = filterOf(node, 1);
  auto rank = attributes && filter ? node.rank(image) : std::nullopt;
  if (!rank) return mlir::failure();
  if (*rank < 3) return node.fail("the input has no channels");
  std::vector<int64_t> first(*rank), last(*rank);
  for (size_t i = 0; i < *rank; ++i) {
    const auto at = static_cast<int64_t>(i), end = static_cast<int64_t>(*rank) - 1;
    first[i] = i == 0 ? 0 : i == 1 ? end : at - 1;
    last[i] = i == 0 ? 0 : at == end ? 1 : at + 1;
  }
  Value result =
      node.make("conv", {transpose(node, image, first), filter, node.input(2)}, *attributes);
  return node.give(transpose(node, result, last));
}

llvm::LogicalResult dynamicQuantizeLstm(Node& node) {
  auto attributes = recurrentAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->push_back(Attr{"input_forget", false}.of(node));
  llvm::SmallVector<Value> arguments = {node.input(0), node.input(1), node.input(2)};
  for (size_t i = 8; i < 12; ++i) {
    if (!node.input(i)) return node.fail("input " + llvm::Twine(i) + " is left out");
    arguments.push_back(node.input(i));
  }
  for (size_t i = 3; i < 8; ++i) arguments.push_back(node.input(i));
  if (node.has_failed()) return mlir::failure();
  return node.giveOp("dynamic_quantized_lstm", arguments, *attributes);
}

constexpr NodeRow kMicrosoftLayerRows[] = {
    {"BiasGelu", 1, geluOf<false>, 2},  {"DynamicQuantizeLSTM", 1, dynamicQuantizeLstm, 3},
    {"FastGelu", 1, geluOf<true>},      {"FusedConv", 1, fusedConv, 2},
    {"FusedMatMul", 1, fusedMatMul, 2}, {"Gelu", 1, geluOf<false>},
    {"NhwcConv", 1, nhwcConv, 2},       {"QuickGelu", 1, same<"swish", Attr{"alpha", 1.702f}>},
};

}  // namespace

llvm::ArrayRef<NodeRow> microsoftLayerRows() { return kMicrosoftLayerRows; }

}  // namespace tfrt::compiler::import
