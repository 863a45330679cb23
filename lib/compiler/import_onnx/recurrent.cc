// Recurrent layers.

#include "node.h"

namespace tfrt::compiler::import {
namespace {

using mlir::Value;

// A layer whose op has so many arguments and results of those that ONNX has.
llvm::LogicalResult recurrent(Node& node, llvm::StringRef name, size_t num_arguments,
                              size_t num_results, llvm::ArrayRef<mlir::NamedAttribute> more = {}) {
  graph::GraphBuilder& graph = node.graph;
  llvm::SmallVector<mlir::NamedAttribute> attributes(more);
  std::vector<std::string> activations = node.texts("activations");
  if (!activations.empty()) {
    llvm::SmallVector<llvm::StringRef> names(activations.begin(), activations.end());
    attributes.push_back(
        graph.builder().getNamedAttr("activations", graph.builder().getStrArrayAttr(names)));
  }
  for (llvm::StringRef each : {"activation_alpha", "activation_beta"}) {
    if (!node.has(each)) continue;
    attributes.push_back(graph.attribute(each, llvm::ArrayRef<float>(node.numbers(each))));
  }
  attributes.push_back(graph.attribute("clip", node.number("clip", 0)));
  attributes.push_back(
      graph.attribute("direction", llvm::StringRef(node.text("direction", "forward"))));
  attributes.push_back(graph.attribute("batch_first", node.integer("layout", 0) != 0));
  llvm::SmallVector<Value> arguments;
  for (size_t i = 0; i < num_arguments; ++i) arguments.push_back(node.input(i));
  if (node.has_failed()) return mlir::failure();
  mlir::Operation* op = graph.create(name, arguments, attributes);
  if (!op) return mlir::failure();
  for (unsigned i = 0; i < num_results; ++i) node.outputs.push_back(op->getResult(i));
  return mlir::success();
}

llvm::LogicalResult lstm(Node& node) {
  return recurrent(node, "lstm", 8, 3,
                   {node.graph.attribute("input_forget", node.integer("input_forget", 0) != 0)});
}

llvm::LogicalResult gru(Node& node) {
  bool linear_first = node.integer("linear_before_reset", 0) != 0;
  return recurrent(node, "gru", 6, 2, {node.graph.attribute("linear_before_reset", linear_first)});
}

llvm::LogicalResult rnn(Node& node) { return recurrent(node, "rnn", 6, 2); }

constexpr NodeRow kRecurrentRows[] = {{"GRU", 7, gru}, {"LSTM", 7, lstm}, {"RNN", 7, rnn}};

}  // namespace

llvm::ArrayRef<NodeRow> recurrentRows() { return kRecurrentRows; }

}  // namespace tfrt::compiler::import
