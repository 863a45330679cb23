#include "graph_importer.h"

#include <string>

#include "constants.h"
#include "llvm/ADT/ScopeExit.h"
#include "narrow.h"

namespace tfrt::compiler::import {

using mlir::Value;

namespace {

// Whether the inputs are there that the op cannot do without, and an output.
llvm::LogicalResult checkCounts(Node& node, int inputs) {
  const size_t given = node.num_inputs();
  const size_t required =
      inputs == kAllInputs ? std::max<size_t>(given, 1) : static_cast<size_t>(inputs);
  if (given < required) {
    return node.fail("there are " + llvm::Twine(given) + " inputs, expected " +
                     llvm::Twine(required));
  }
  for (size_t i = 0; i < required; ++i) {
    if (!node.input(i)) return node.fail("input " + llvm::Twine(i) + " is left out");
  }
  if (node.num_outputs() == 0) return node.fail("there are no outputs");
  return mlir::success();
}

}  // namespace

// Graphs in a node's attributes, as the node sees the graphs around it.
class GraphImporter::InnerGraphs final : public Subgraphs {
 public:
  InnerGraphs(GraphImporter& importer, const Opsets& opsets, const CallAttributes& call,
              const Scope& scope)
      : importer_(importer), opsets_(opsets), call_(call), scope_(scope) {}
  llvm::LogicalResult import(const onnx::Graph& graph, llvm::ArrayRef<Value> inputs,
                             llvm::SmallVectorImpl<Value>& outputs) override {
    return importer_.importInner(graph, inputs, opsets_, call_, scope_, outputs);
  }

 private:
  GraphImporter& importer_;
  const Opsets& opsets_;
  const CallAttributes& call_;
  const Scope& scope_;
};

GraphImporter::GraphImporter(const onnx::Model& model, const OnnxImportOptions& options,
                             graph::GraphBuilder& graph)
    : model_(model), graph_(graph), files_(model.folder(), options.follow_cache_links) {
  for (const onnx::ModelFunction& function : model.functions) {
    functions_[keyOf(function)] = &function;
  }
}

llvm::LogicalResult GraphImporter::fail(const llvm::Twine& message) {
  return mlir::emitError(graph_.location()) << message;
}

llvm::LogicalResult GraphImporter::tooDeep() {
  return fail("graphs and functions are nested more than " + llvm::Twine(kMaxDepth) + " deep");
}

llvm::LogicalResult GraphImporter::importMain(Scope& scope, llvm::SmallVectorImpl<Value>& outputs) {
  for (const onnx::ValueInfo& input : model_.graph.inputs) {
    if (auto value = scope.find(input.name)) narrow_.set(*value, input.type);
  }
  if (mlir::failed(importConstants(model_.graph, scope)) ||
      mlir::failed(importNodes(model_.graph.nodes, Opsets(model_.opsets), {}, scope))) {
    return mlir::failure();
  }
  return findOutputs(model_.graph, scope, outputs);
}

llvm::LogicalResult GraphImporter::importConstants(const onnx::Graph& graph, Scope& scope) {
  if (graph.num_sparse_initializers > 0) return fail("sparse initialisers are not supported");
  for (const onnx::TensorData& tensor : graph.initializers) {
    mlir::TypedAttr value = readConstant(tensor, files_, graph_.location(), graph_.context());
    if (!value) return mlir::failure();
    Value constant = graph_.constant(value);
    narrow_.set(constant, tensor.type);
    if (scope.add(tensor.name, constant)) continue;
    return fail("'" + llvm::StringRef(tensor.name) + "' is made twice");
  }
  return mlir::success();
}

llvm::LogicalResult GraphImporter::findOutputs(const onnx::Graph& graph, const Scope& scope,
                                               llvm::SmallVectorImpl<Value>& outputs) {
  for (const onnx::ValueInfo& output : graph.outputs) {
    outputs.push_back(scope.find(output.name).value_or(Value()));
    if (outputs.back()) continue;
    return fail("output '" + llvm::StringRef(output.name) + "' is not made by any node");
  }
  return mlir::success();
}

llvm::LogicalResult GraphImporter::importInner(const onnx::Graph& graph,
                                               llvm::ArrayRef<Value> inputs, const Opsets& opsets,
                                               const CallAttributes& call, const Scope& outer,
                                               llvm::SmallVectorImpl<Value>& outputs) {
  if (graph.inputs.size() != inputs.size()) {
    return fail("graph '" + llvm::StringRef(graph.name) + "' has " +
                llvm::Twine(graph.inputs.size()) + " inputs, expected " +
                llvm::Twine(inputs.size()));
  }
  llvm::scope_exit back([&] { --depth_; });
  if (++depth_ > kMaxDepth) return tooDeep();
  Scope scope(&outer);
  for (auto [input, value] : llvm::zip(graph.inputs, inputs)) {
    if (input.kind != onnx::TypeKind::kTensor && input.kind != onnx::TypeKind::kNone) {
      return fail("input '" + llvm::StringRef(input.name) + "' of graph '" +
                  llvm::StringRef(graph.name) + "' is no tensor");
    }
    if (!scope.add(input.name, value))
      return fail("'" + llvm::StringRef(input.name) + "' is made twice");
  }
  if (mlir::failed(importConstants(graph, scope)) ||
      mlir::failed(importNodes(graph.nodes, opsets, call, scope)) ||
      mlir::failed(findOutputs(graph, scope, outputs))) {
    return mlir::failure();
  }
  // Nobody follows the types of what leaves a node's graph.
  for (auto [output, value] : llvm::zip(graph.outputs, outputs)) {
    if (const onnx::NarrowType* type = narrow_.find(value)) {
      return fail("output '" + llvm::StringRef(output.name) + "' of graph '" +
                  llvm::StringRef(graph.name) + "' is of " + onnx::DataTypeName(type->type) +
                  ", which is not supported there");
    }
  }
  return mlir::success();
}

llvm::LogicalResult GraphImporter::importNodes(llvm::ArrayRef<onnx::Node> nodes,
                                               const Opsets& opsets, const CallAttributes& call,
                                               Scope& scope) {
  for (const onnx::Node& node : nodes) {
    auto location = graph_.location();
    llvm::scope_exit back([&] { graph_.setLocation(location); });
    graph_.setLocation(locationOf(node));
    if (++num_nodes_ > kMaxNodes) {
      return fail("the graphs and functions in each other have more than " +
                  llvm::Twine(kMaxNodes) + " nodes");
    }
    llvm::SmallVector<Value> inputs;
    for (std::string_view name : node.inputs) {
      std::optional<Value> value = name.empty() ? Value() : scope.find(name);
      if (!value) {
        return fail("input '" + llvm::StringRef(name) + "' is not made by an earlier node");
      }
      inputs.push_back(*value);
    }
    llvm::SmallVector<Value> outputs;
    if (mlir::failed(importNode(node, opsets, call, inputs, scope, outputs)))
      return mlir::failure();
    for (auto [index, name] : llvm::enumerate(node.outputs)) {
      if (name.empty()) continue;
      if (index >= outputs.size()) {
        return fail(llvm::StringRef(node.op) + " has " + llvm::Twine(outputs.size()) +
                    " outputs, but '" + llvm::StringRef(name) + "' is one more");
      }
      if (!outputs[index]) continue;  // not supported: an error where it is used
      if (!scope.add(name, outputs[index])) {
        return fail("'" + llvm::StringRef(name) + "' is made twice");
      }
    }
  }
  return mlir::success();
}

llvm::LogicalResult GraphImporter::importNode(const onnx::Node& onnx_node, const Opsets& opsets,
                                              const CallAttributes& call,
                                              llvm::ArrayRef<Value> inputs, const Scope& scope,
                                              llvm::SmallVectorImpl<Value>& outputs) {
  auto function = functions_.find(keyOf(onnx_node));
  if (function != functions_.end()) {
    return importCall(onnx_node, *function->second, call, inputs, outputs);
  }
  const int64_t version = opsets.versionOf(onnx_node.domain);
  const NodeRow* row = findRow(onnx_node.domain, onnx_node.op, version);
  // Seen before, unless a graph comes to a function from a caller of another opset.
  if (!row) {
    return fail(llvm::StringRef(onnx_node.op) + " version " + llvm::Twine(version) +
                " is not supported");
  }
  InnerGraphs inner(*this, opsets, call, scope);
  Node node(onnx_node, version, call, files_, narrow_, inner, graph_, inputs, num_nodes_);
  if (mlir::failed(checkCounts(node, row->inputs)) || mlir::failed(checkNarrow(node)) ||
      mlir::failed(row->function(node)) || node.has_failed() || mlir::failed(followNarrow(node))) {
    return mlir::failure();
  }
  outputs = std::move(node.outputs);
  return mlir::success();
}

// The body of a function with the call's inputs and attributes.
llvm::LogicalResult GraphImporter::importCall(const onnx::Node& node,
                                              const onnx::ModelFunction& function,
                                              const CallAttributes& outer,
                                              llvm::ArrayRef<Value> inputs,
                                              llvm::SmallVectorImpl<Value>& outputs) {
  llvm::scope_exit back([&] { --depth_; });
  if (++depth_ > kMaxDepth) return tooDeep();
  CallAttributes call;
  for (const onnx::Attribute& attribute : function.default_attributes) {
    call[llvm::StringRef(attribute.name)] = &attribute;
  }
  for (const onnx::Attribute& attribute : node.attributes) {
    const onnx::Attribute* given = &attribute;
    if (!attribute.ref.empty()) {
      auto found = outer.find(llvm::StringRef(attribute.ref));
      if (found == outer.end()) continue;
      given = found->second;
    }
    call[llvm::StringRef(attribute.name)] = given;
  }
  if (inputs.size() > function.inputs.size()) {
    return fail("function " + llvm::StringRef(function.name) + " has " +
                llvm::Twine(function.inputs.size()) + " inputs, but is given " +
                llvm::Twine(inputs.size()));
  }
  Scope scope;
  for (auto [index, name] : llvm::enumerate(function.inputs)) {
    scope.set(name, index < inputs.size() ? inputs[index] : Value());
  }
  if (mlir::failed(importNodes(function.nodes, Opsets(function.opsets), call, scope))) {
    return mlir::failure();
  }
  for (std::string_view name : function.outputs) {
    outputs.push_back(scope.find(name).value_or(Value()));
    if (outputs.back()) continue;
    return fail("function " + llvm::StringRef(function.name) + " does not make its output '" +
                llvm::StringRef(name) + "'");
  }
  return mlir::success();
}

// "node"("model.onnx": Op)
mlir::Location GraphImporter::locationOf(const onnx::Node& node) {
  mlir::OpBuilder& builder = graph_.builder();
  std::string where = model_.path + ": " + std::string(node.op);
  mlir::Location file = mlir::NameLoc::get(builder.getStringAttr(where));
  if (!node.name.empty()) {
    return mlir::NameLoc::get(builder.getStringAttr(llvm::StringRef(node.name)), file);
  }
  return file;
}

}  // namespace tfrt::compiler::import
