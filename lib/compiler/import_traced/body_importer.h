// BodyImporter: the ops of a flat traced graph as ops of the graph dialect.
#ifndef TFRT_LIB_COMPILER_IMPORT_TRACED_BODY_IMPORTER_H_
#define TFRT_LIB_COMPILER_IMPORT_TRACED_BODY_IMPORTER_H_

#include <vector>

#include "dialects/graph/graph_builder.h"
#include "lib/format/traced_graph/traced_graph.h"

namespace tfrt::compiler::traced {

// Makes ops where the builder is. Errors are diagnostics.
class BodyImporter {
 public:
  BodyImporter(const function::TracedGraph& from, graph::GraphBuilder& graph)
      : from_(from),
        function_(from.functions[0]),
        graph_(graph),
        values_(function_.values.size()) {}

  void set(function::ValueId id, mlir::Value value) { values_[id] = value; }
  mlir::Value get(function::ValueId id) const {
    return id == function::kLeftOut ? mlir::Value() : values_[id];
  }
  // Returns the token that orders the next effect; null in a program that has none.
  mlir::Value token() const { return token_; }
  void setToken(mlir::Value token) { token_ = token; }

  llvm::LogicalResult importOps(const function::TracedBody& body);

 private:
  using Values = llvm::SmallVector<mlir::Value>;

  llvm::LogicalResult importOp(const function::TracedOp& op);
  llvm::LogicalResult importTableOp(const function::TracedOp& op);
  llvm::LogicalResult importConstant(const function::TracedOp& op);
  llvm::LogicalResult importHostCall(const function::TracedOp& op);
  llvm::LogicalResult importIf(const function::TracedOp& op);
  llvm::LogicalResult importWhile(const function::TracedOp& op);
  llvm::LogicalResult importFor(const function::TracedOp& op);

  // The results of a body whose arguments are these.
  llvm::LogicalResult importBody(const function::TracedBody& body,
                                 llvm::ArrayRef<mlir::Value> arguments,
                                 llvm::SmallVectorImpl<mlir::Value>& results);
  Values getAll(llvm::ArrayRef<function::ValueId> ids) const;
  void setAll(llvm::ArrayRef<function::ValueId> ids, mlir::ValueRange values);
  bool hasEffects(const function::TracedOp& op) const;
  llvm::LogicalResult fail(const llvm::Twine& message);

  // graph.loop over a body that makes a condition, what is carried and what is stacked; its results
  // are those of `op`.
  llvm::LogicalResult makeLoop(const function::TracedOp& op, mlir::Value count,
                               mlir::Value condition, Values initial,
                               graph::GraphBuilder::FillRegion body);
  mlir::Value lengthOf(mlir::Value value);

  const function::TracedGraph& from_;
  const function::TracedFunction& function_;
  graph::GraphBuilder& graph_;
  std::vector<mlir::Value> values_;  // by id
  mlir::Value token_;
};

mlir::Location locationOf(const function::TracedGraph& graph, uint32_t index,
                          mlir::MLIRContext* context);

}  // namespace tfrt::compiler::traced

#endif  // TFRT_LIB_COMPILER_IMPORT_TRACED_BODY_IMPORTER_H_
