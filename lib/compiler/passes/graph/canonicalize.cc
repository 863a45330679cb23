// One form for what programs can say in many ways.

#include "graph_passes.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/CSE.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

struct CanonicalizePass
    : mlir::PassWrapper<CanonicalizePass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CanonicalizePass)

  CanonicalizePass() = default;
  explicit CanonicalizePass(bool is_exact) { numerics = is_exact ? "exact" : "fast"; }
  CanonicalizePass(const CanonicalizePass& other) : PassWrapper(other) {
    numerics = other.numerics.getValue();
  }
  llvm::StringRef getArgument() const override { return "graph-canonicalize"; }
  llvm::StringRef getDescription() const override {
    return "Bring ops into canonical forms, and drop what changes nothing or is not used";
  }

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

  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("fast, or exact: keep the signs of zeros, too"),
                               llvm::cl::init("fast")};
  Option<bool> remarks{*this, "remarks", llvm::cl::desc("Report how much was done"),
                       llvm::cl::init(false)};
};

}  // namespace

std::unique_ptr<mlir::Pass> createCanonicalizePass(bool exact) {
  return std::make_unique<CanonicalizePass>(exact);
}

}  // namespace tfrt::compiler::graph
