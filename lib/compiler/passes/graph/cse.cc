// One op for several that compute the same.

#include "mlir/Transforms/CSE.h"
#include "graph_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::graph {
namespace {

struct CsePass : mlir::PassWrapper<CsePass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CsePass)

  llvm::StringRef getArgument() const override { return "graph-cse"; }
  llvm::StringRef getDescription() const override {
    return "Compute once what ops without effects compute of the same values";
  }
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    mlir::IRRewriter rewriter(function.getContext());
    mlir::DominanceInfo dominance(function);
    mlir::eliminateCommonSubExpressions(rewriter, dominance, function);
  }
};

}  // namespace

std::unique_ptr<mlir::Pass> createCsePass() { return std::make_unique<CsePass>(); }

}  // namespace tfrt::compiler::graph
