// Ops that one kernel computes together become one op.

#include "graph_passes.h"
#include "mlir/Pass/Pass.h"
#include "pipeline.h"
#include "rewriting.h"

namespace tfrt::compiler::graph {
namespace {

struct FusePass : mlir::PassWrapper<FusePass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FusePass)

  FusePass() = default;
  explicit FusePass(bool is_exact) { numerics = is_exact ? "exact" : "fast"; }
  FusePass(const FusePass& other) : PassWrapper(other) { numerics = other.numerics.getValue(); }
  llvm::StringRef getArgument() const override { return "graph-fuse"; }
  llvm::StringRef getDescription() const override {
    return "Put ops together that one kernel computes";
  }

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
          if (!exact) addPackedAttention(patterns, facts);
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

  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("fast, or exact: keep the rounding of the program"),
                               llvm::cl::init("fast")};
  Option<bool> remarks{*this, "remarks", llvm::cl::desc("Report how much was done"),
                       llvm::cl::init(false)};
};

}  // namespace

std::unique_ptr<mlir::Pass> createFusePass(bool exact) { return std::make_unique<FusePass>(exact); }

}  // namespace tfrt::compiler::graph
