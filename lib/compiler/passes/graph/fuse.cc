// Ops that one kernel computes together become one op.

#include "graph_passes.h"
#include "mlir/Pass/Pass.h"
#include "pipeline.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_FUSEPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

struct FusePass : impl::FusePassBase<FusePass> {
  using FusePassBase::FusePassBase;
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    const auto is_exact = isExact(numerics, function);
    if (!is_exact) return signalPassFailure();
    const bool exact = *is_exact;
    const size_t before = countOps(function);
    // Forms that are written as many ops come first: otherwise their parts would be taken for other
    // forms.
    if (!exact && mlir::failed(apply(function, exact, [](auto& patterns, ValueFacts& facts) {
          addActivationFusion(patterns, facts);
          addNormFusion(patterns, facts);
          addAttentionFusion(patterns, facts);
        }))) {
      return signalPassFailure();
    }
    if (mlir::failed(apply(function, exact, [&](auto& patterns, ValueFacts& facts) {
          addEagerForms(patterns, facts, exact);
          addConvolutionFusion(patterns, facts, exact);
          addProductFusion(patterns, facts, exact);
          addQuantizedForms(patterns, facts);
          if (!exact) addPackedAttention(patterns, facts);
        }))) {
      return signalPassFailure();
    }
    // Products that are complete become those of integers.
    if (!exact && mlir::failed(apply(function, exact, [](auto& patterns, ValueFacts& facts) {
          addQuantizedForms(patterns, facts);
          addQuantizedFusion(patterns, facts);
        }))) {
      return signalPassFailure();
    }
    if (remarks) {
      function.emitRemark() << "had " << before << " ops, has " << countOps(function);
    }
  }

 private:
  static llvm::LogicalResult apply(
      mlir::func::FuncOp function, bool exact,
      llvm::function_ref<void(mlir::RewritePatternSet&, ValueFacts&)> add_fusion) {
    ValueFacts facts(function);
    mlir::RewritePatternSet patterns(function.getContext());
    addElementwiseForms(patterns, facts, exact);
    addMovementForms(patterns, facts);
    add_fusion(patterns, facts);
    if (mlir::succeeded(applyPatterns(function, facts, std::move(patterns)))) {
      return mlir::success();
    }
    return function.emitError("fusion does not end");
  }

  // But constants, which cost nothing when the program runs.
  static size_t countOps(mlir::func::FuncOp function) {
    size_t count = 0;
    ConstantFacts constants;
    function.walk([&](mlir::Operation* op) {
      count += descriptionOf(op) &&
               !constants.isConstant(op->getNumResults() ? op->getResult(0) : nullptr);
    });
    return count;
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
