// Windows of signals.

#include <numbers>

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// a + b * cos(2 pi i / n) + c * cos(4 pi i / n), n being the size, or, of a symmetric window, one
// less.
llvm::LogicalResult window(Node& node, double a, double b, double c) {
  auto type = static_cast<onnx::DataType>(node.integer("output_datatype", 1));
  mlir::Type element = graph::elementType(onnx::DTypeOf(type), node.graph.context());
  if (!element) return node.fail("no window of " + onnx::DataTypeName(type));
  mlir::Type f64 = node.graph.builder().getF64Type();
  Value count = reshape(node, wide(node, node.input(0)), {});
  Value size = count;
  if (node.integer("periodic", 1) == 0) size = node.make("sub", {size, node.graph.integer(1)});
  auto number = [&](double value) { return node.graph.number(f64, value); };
  auto mul = [&](Value left, Value right) { return node.make("mul", {left, right}); };
  Value turns = node.make("div", {cast(node, range(node, count), f64), cast(node, size, f64)});
  Value angle = mul(turns, number(2 * std::numbers::pi));
  Value sum = node.make("add", {number(a), mul(node.make("cos", {angle}), number(b))});
  if (c != 0) {
    Value twice = node.make("cos", {mul(angle, number(2))});
    sum = node.make("add", {sum, mul(twice, number(c))});
  }
  return node.give(cast(node, sum, element));
}

llvm::LogicalResult hann(Node& node) { return window(node, 0.5, -0.5, 0); }
llvm::LogicalResult hamming(Node& node) { return window(node, 25.0 / 46, 25.0 / 46 - 1, 0); }
llvm::LogicalResult blackman(Node& node) { return window(node, 0.42, -0.5, 0.08); }

constexpr NodeRow kRows[] = {
    {"BlackmanWindow", 17, blackman}, {"HammingWindow", 17, hamming}, {"HannWindow", 17, hann}};

}  // namespace

llvm::ArrayRef<NodeRow> signalRows() { return kRows; }

}  // namespace tfrt::compiler::import
