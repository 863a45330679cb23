// ONNX ops that are products.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

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
    return node.graph.value("mul", {value, node.numberLike(value, factor)});
  };
  product = scaled(product, node.number("alpha", 1));
  if (!node.input(2)) return node.give(product);
  Value summand = scaled(node.input(2), node.number("beta", 1));
  if (!product || !summand) return mlir::failure();
  return node.giveOp("add", {product, summand});
}

llvm::LogicalResult matMulInteger(Node& node) {
  return node.giveOp("matmul_integer",
                     {node.input(0), node.input(1), node.input(2), node.input(3)});
}

constexpr NodeRow kRows[] = {
    {"Gemm", 1, gemm}, {"MatMul", 1, matmul}, {"MatMulInteger", 10, matMulInteger}};

}  // namespace

llvm::ArrayRef<NodeRow> layerRows() { return kRows; }

}  // namespace tfrt::compiler::import
