// One op for several that compute the same.

#include "mlir/Transforms/CSE.h"
#include "graph_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_CSEPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

struct CsePass : impl::CsePassBase<CsePass> {
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    mlir::IRRewriter rewriter(function.getContext());
    mlir::DominanceInfo dominance(function);
    mlir::eliminateCommonSubExpressions(rewriter, dominance, function);
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
