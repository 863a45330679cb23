// Goes through the nodes of a model's graphs and functions, from the first to the last.
#ifndef TFRT_LIB_COMPILER_IMPORT_ONNX_GRAPH_IMPORTER_H_
#define TFRT_LIB_COMPILER_IMPORT_ONNX_GRAPH_IMPORTER_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>

#include "import_onnx.h"
#include "node.h"
#include "op_versions.h"

namespace tfrt::compiler::import {

// The values that names stand for: those of a graph, and then those of the graphs around it, which
// must outlive it. An input that the call of a function leaves out is a null value.
class Scope {
 public:
  explicit Scope(const Scope* outer = nullptr) : outer_(outer) {}

  // Nothing if nothing made it yet.
  std::optional<mlir::Value> find(std::string_view name) const {
    auto found = values_.find(name);
    if (found != values_.end()) return found->second;
    return outer_ ? outer_->find(name) : std::nullopt;
  }
  void set(std::string_view name, mlir::Value value) { values_[name] = value; }
  // False if this graph has made it before.
  bool add(std::string_view name, mlir::Value value) { return values_.emplace(name, value).second; }

 private:
  const Scope* outer_;
  std::map<std::string_view, mlir::Value> values_;
};

// Makes ops where the builder is. Errors are diagnostics at the node. The model and the builder
// must outlive it.
class GraphImporter {
 public:
  GraphImporter(const onnx::Model& model, const OnnxImportOptions& options,
                graph::GraphBuilder& graph);

  // Imports the model's graph; the scope has its inputs. The `outputs` are in its order.
  llvm::LogicalResult importMain(Scope& scope, llvm::SmallVectorImpl<mlir::Value>& outputs);

 private:
  class InnerGraphs;
  // Limits the depth of functions that call each other and of graphs in nodes.
  static constexpr int kMaxDepth = 32;
  // A function may call another one twice, and so on: a small file could ask for any number.
  static constexpr size_t kMaxNodes = size_t{1} << 18;

  llvm::LogicalResult fail(const llvm::Twine& message);
  llvm::LogicalResult tooDeep();
  llvm::LogicalResult importConstants(const onnx::Graph& graph, Scope& scope);
  llvm::LogicalResult findOutputs(const onnx::Graph& graph, const Scope& scope,
                                  llvm::SmallVectorImpl<mlir::Value>& outputs);
  llvm::LogicalResult importInner(const onnx::Graph& graph, llvm::ArrayRef<mlir::Value> inputs,
                                  const Opsets& opsets, const CallAttributes& call,
                                  const Scope& outer, llvm::SmallVectorImpl<mlir::Value>& outputs);
  llvm::LogicalResult importNodes(llvm::ArrayRef<onnx::Node> nodes, const Opsets& opsets,
                                  const CallAttributes& call, Scope& scope);
  llvm::LogicalResult importNode(const onnx::Node& node, const Opsets& opsets,
                                 const CallAttributes& call, llvm::ArrayRef<mlir::Value> inputs,
                                 const Scope& scope, llvm::SmallVectorImpl<mlir::Value>& outputs);
  llvm::LogicalResult importCall(const onnx::Node& node, const onnx::ModelFunction& function,
                                 const CallAttributes& outer, llvm::ArrayRef<mlir::Value> inputs,
                                 llvm::SmallVectorImpl<mlir::Value>& outputs);
  mlir::Location locationOf(const onnx::Node& node);

  const onnx::Model& model_;
  graph::GraphBuilder& graph_;
  onnx::ExternalFiles files_;
  NarrowValues narrow_;
  std::map<FunctionKey, const onnx::ModelFunction*> functions_;
  int depth_ = 0;         // of calls and graphs in nodes
  size_t num_nodes_ = 0;  // so far
};

}  // namespace tfrt::compiler::import

#endif  // TFRT_LIB_COMPILER_IMPORT_ONNX_GRAPH_IMPORTER_H_
