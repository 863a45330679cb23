// Recurrent layers.

#include "node.h"

namespace tfrt::compiler::import {

using mlir::Value;

std::optional<llvm::SmallVector<mlir::NamedAttribute>> recurrentAttributes(Node& node) {
  graph::GraphBuilder& graph = node.graph;
  llvm::SmallVector<mlir::NamedAttribute> attributes;
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
  attributes.push_back(Attr{"clip", 0.0f}.of(node));
  attributes.push_back(
      graph.attribute("direction", llvm::StringRef(node.text("direction", "forward"))));
  attributes.push_back(Attr{"batch_first", false, "layout"}.of(node));
  if (node.has_failed()) return std::nullopt;
  return attributes;
}

namespace {

// A layer whose op has so many of the arguments that ONNX has, and attributes of its own.
template <OpName name, size_t num_arguments, Attr... more>
llvm::LogicalResult recurrent(Node& node) {
  auto attributes = recurrentAttributes(node);
  if (!attributes) return mlir::failure();
  attributes->append({more.of(node)...});
  llvm::SmallVector<Value> arguments;
  for (size_t i = 0; i < num_arguments; ++i) arguments.push_back(node.input(i));
  if (node.has_failed()) return mlir::failure();
  return node.giveOp(name.text, arguments, *attributes);
}

constexpr NodeRow kRecurrentRows[] = {
    {"GRU", 7, recurrent<"gru", 6, Attr{"linear_before_reset", false}>, 3},
    {"LSTM", 7, recurrent<"lstm", 8, Attr{"input_forget", false}>, 3},
    {"RNN", 7, recurrent<"rnn", 6>, 3},
};

}  // namespace

llvm::ArrayRef<NodeRow> recurrentRows() { return kRecurrentRows; }

}  // namespace tfrt::compiler::import
