// ONNX ops that are products.

#include "node.h"

namespace tfrt::compiler::import {

using mlir::Value;

// The dimension of 1 that a vector gets goes afterwards.
Value matrixProduct(Node& node, Value a, Value b) {
  auto rank_a = a ? node.rank(a) : std::nullopt, rank_b = b ? node.rank(b) : std::nullopt;
  if (!rank_a || !rank_b) return {};
  if (*rank_a == 0 || *rank_b == 0) {
    (void)node.fail("an input is a scalar");
    return {};
  }
  if (*rank_a == 1) a = expand(node, a, {0});
  if (*rank_b == 1) b = expand(node, b, {1});
  bool is_plain = *rank_a <= 2 && *rank_b <= 2;
  Value product = node.make(is_plain ? "matmul" : "batch_matmul", {a, b});
  if (*rank_a > 1 && *rank_b > 1) return product;
  llvm::SmallVector<int64_t> axes;
  if (*rank_a == 1) axes.push_back(-2);
  if (*rank_b == 1) axes.push_back(-1);
  return node.make("squeeze", {product},
                   {node.graph.attribute("axes", llvm::ArrayRef<int64_t>(axes))});
}

namespace {

llvm::LogicalResult matmul(Node& node) {
  return node.give(matrixProduct(node, node.input(0), node.input(1)));
}

// alpha * a * b + beta * c
llvm::LogicalResult gemm(Node& node) {
  Value product = node.graph.value("matmul", {node.input(0), node.input(1)},
                                   {Attr{"transpose_a", false, "transA"}.of(node),
                                    Attr{"transpose_b", false, "transB"}.of(node)});
  if (!product) return mlir::failure();
  auto scaled = [&](Value value, float factor) {
    if (factor == 1 || !value) return value;
    return node.graph.value("mul", {value, node.numberLike(value, factor)});
  };
  product = scaled(product, node.number("alpha", 1));
  if (!node.input(2)) return node.give(product);
  Value summand = scaled(node.input(2), node.number("beta", 1));
  if (!product || !summand) return mlir::failure();
  return node.giveOp("add", {product, summand});
}

constexpr NodeRow kLayerRows[] = {
    {"Gemm", 1, gemm, 2},
    {"MatMul", 1, matmul, 2},
    {"MatMulInteger", 10, same<"matmul_integer">, 2},
};

}  // namespace

llvm::ArrayRef<NodeRow> layerRows() { return kLayerRows; }

}  // namespace tfrt::compiler::import
