// BodyImporter: the ops of a flat traced graph as ops of the graph dialect.
#ifndef TFRT_LIB_COMPILER_IMPORT_TRACED_BODY_IMPORTER_H_
#define TFRT_LIB_COMPILER_IMPORT_TRACED_BODY_IMPORTER_H_

#include <memory>
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
  using Types = llvm::SmallVector<ValueType>;

  llvm::LogicalResult importOp(const function::TracedOp& op);
  llvm::LogicalResult importTableOp(const function::TracedOp& op);
  llvm::LogicalResult importEffect(const function::TracedOp& op, const OpDescription& row,
                                   llvm::ArrayRef<mlir::Value> arguments,
                                   llvm::ArrayRef<mlir::NamedAttribute> attributes);
  llvm::LogicalResult importConstant(const function::TracedOp& op);
  llvm::LogicalResult importHostCall(const function::TracedOp& op);
  llvm::LogicalResult importIf(const function::TracedOp& op);
  llvm::LogicalResult importWhile(const function::TracedOp& op);
  llvm::LogicalResult importFor(const function::TracedOp& op);

  // The results of a body whose arguments are these.
  llvm::LogicalResult importBody(const function::TracedBody& body,
                                 llvm::ArrayRef<mlir::Value> arguments, Values& results);
  Values getAll(llvm::ArrayRef<function::ValueId> ids) const;
  bool hasEffects(const function::TracedOp& op) const;
  llvm::LogicalResult fail(const llvm::Twine& message);

  // Fills a region: its arguments, and what it returns. The token is that of the region.
  using Fill = llvm::function_ref<llvm::LogicalResult(llvm::ArrayRef<mlir::Value>, Values&)>;
  // A region with such arguments, and a token behind number `token_at` of them and of the results
  // if `has_token`. Null after an error.
  std::unique_ptr<mlir::Region> makeRegion(llvm::ArrayRef<ValueType> arguments, bool has_token,
                                           size_t token_at, Fill fill, Values& returned);
  // graph.loop over a body that makes a condition, what is carried and what is stacked.
  struct Loop {
    mlir::Value count = {};
    mlir::Value condition = {};
    Values initial = {};
    bool has_token = false;
  };
  llvm::LogicalResult makeLoop(const Loop& loop, Fill body, Values& results);
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
