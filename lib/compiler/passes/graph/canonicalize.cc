// One form for what programs can say in many ways.

#include "graph_passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_CANONICALIZEPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

struct CanonicalizePass : impl::CanonicalizePassBase<CanonicalizePass> {
  using CanonicalizePassBase::CanonicalizePassBase;
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    const auto exact = isExact(numerics, function);
    if (!exact) return signalPassFailure();
    const size_t before = countOps(function);
    ValueFacts facts(function);
    mlir::RewritePatternSet patterns(&getContext());
    addElementwiseForms(patterns, facts, *exact);
    addMovementForms(patterns, facts);
    mergeEqual(function, facts);
    if (mlir::failed(applyPatterns(function, facts, std::move(patterns)))) {
      function.emitError("canonical forms do not end");
      return signalPassFailure();
    }
    mergeEqual(function, facts);
    if (remarks) {
      function.emitRemark() << "had " << before << " ops, has " << countOps(function);
    }
  }

 private:
  static size_t countOps(mlir::func::FuncOp function) {
    size_t count = 0;
    function.walk([&](mlir::Operation*) { ++count; });
    return count - 1;
  }
  static void mergeEqual(mlir::func::FuncOp function, ValueFacts& facts) {
    mlir::IRRewriter rewriter(function.getContext(), &facts);
    mlir::DominanceInfo dominance(function);
    mlir::eliminateCommonSubExpressions(rewriter, dominance, function);
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
