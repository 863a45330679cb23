// Helpers for rewrites of graphs: ops that are made and matched.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_REWRITING_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_REWRITING_H_

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dialects/graph/graph_builder.h"
#include "mlir/IR/PatternMatch.h"
#include "value_facts.h"

namespace tfrt::compiler::graph {

// Makes ops in place of another: in front of it, at its location.
class Replacement {
 public:
  Replacement(mlir::RewriterBase& rewriter, ValueFacts& facts, mlir::Operation* op)
      : rewriter_(rewriter), facts_(facts), op_(op), graph_(rewriter, op->getLoc()) {
    rewriter.setInsertionPoint(op);
  }

  // An op of the table, by its first result. Null if the table says that there cannot be one, which
  // is a diagnostic; a null among `arguments` is one that is left out.
  mlir::Value value(llvm::StringRef name, llvm::ArrayRef<mlir::Value> arguments,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  // For constants and attributes, which need no facts.
  GraphBuilder& graph() { return graph_; }
  mlir::RewriterBase& rewriter() { return rewriter_; }

  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  // Sizes that are known, and perhaps one -1.
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> sizes);

  // The op's first result is the value from now on, and nothing may use another one; its facts are
  // those of both. Fails, and nothing has happened, for a null value, and where a region would end
  // with another type.
  llvm::LogicalResult finish(mlir::Value value);

 private:
  llvm::LogicalResult drop(mlir::Value value);

  mlir::RewriterBase& rewriter_;
  ValueFacts& facts_;
  mlir::Operation* op_;
  GraphBuilder graph_;
};

// Rewrites an op: returns `make.finish` of its replacement, or failure with nothing changed.
template <typename Op>
using Rule = llvm::LogicalResult (*)(Op op, Replacement& make, ValueFacts& facts);

template <typename Op>
class RulePattern final : public mlir::OpRewritePattern<Op> {
 public:
  RulePattern(mlir::MLIRContext* context, Rule<Op> rule, ValueFacts& facts,
              mlir::PatternBenefit benefit)
      : mlir::OpRewritePattern<Op>(context, benefit), rule_(rule), facts_(facts) {}
  llvm::LogicalResult matchAndRewrite(Op op, mlir::PatternRewriter& rewriter) const override {
    Replacement make(rewriter, facts_, op);
    return rule_(op, make, facts_);
  }

 private:
  const Rule<Op> rule_;
  ValueFacts& facts_;
};

// Adds a rule. If two rules match an op, the one with the larger benefit is tried first.
template <typename Op>
void addRule(mlir::RewritePatternSet& patterns, ValueFacts& facts,
             llvm::LogicalResult (*rule)(Op, Replacement&, ValueFacts&), unsigned benefit = 1) {
  patterns.add<RulePattern<Op>>(patterns.getContext(), rule, facts, benefit);
}

// The same for ops of any kind.
void addRule(mlir::RewritePatternSet& patterns, ValueFacts& facts, Rule<mlir::Operation*> rule);

// Whether an option `numerics` says exact, and not fast; nothing, and an error of the function, if
// it says something else.
std::optional<bool> isExact(llvm::StringRef numerics, mlir::func::FuncOp function);

// The results of the function are what is returned: rewrites may know more of its type.
void updateResultTypes(mlir::func::FuncOp function);

// Applies the patterns until none fires, and leaves no dead code. Fails if they do not end.
llvm::LogicalResult applyPatterns(mlir::func::FuncOp function, ValueFacts& facts,
                                  mlir::RewritePatternSet&& patterns);

// --- What is known of an op.

// Sizes as the target of a reshape: one may be left to it, beside which none is 0.
std::optional<std::vector<int64_t>> targetOf(const SymbolicShape& shape);

// An op's attribute, or its default by the table.
bool boolOf(mlir::Operation* op, llvm::StringRef name);
int64_t integerOf(mlir::Operation* op, llvm::StringRef name);
double numberOf(mlir::Operation* op, llvm::StringRef name);
std::string textOf(mlir::Operation* op, llvm::StringRef name);
std::vector<int64_t> integersOf(mlir::Operation* op, llvm::StringRef name);
// The attributes of the op's row that the op has, without what MLIR adds.
mlir::NamedAttrList tableAttributesOf(mlir::Operation* op);

// The op that makes the value, if it is one of these, and null otherwise.
template <typename... Ops>
mlir::Operation* made(mlir::Value value) {
  mlir::Operation* op = value ? value.getDefiningOp() : nullptr;
  return op && mlir::isa<Ops...>(op) ? op : nullptr;
}
// The same, if nothing else uses the value.
template <typename... Ops>
mlir::Operation* madeForOne(mlir::Value value) {
  mlir::Operation* op = made<Ops...>(value);
  return op && value.hasOneUse() ? op : nullptr;
}

// The two operands of an op, in either order.
inline std::array<std::pair<mlir::Value, mlir::Value>, 2> eitherOrder(mlir::Operation* op) {
  mlir::Value a = op->getOperand(0), b = op->getOperand(1);
  return {{{a, b}, {b, a}}};
}
// The same, of which that comes first which is made later in the block.
std::array<std::pair<mlir::Value, mlir::Value>, 2> laterFirst(mlir::Operation* op);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_REWRITING_H_
