#include "lib/compiler/memory_planning/plan_memory.h"

#include "dialects/ht/ht_dialect.h"
#include "dialects/tfrt_dht/tfrt_dht_dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "passes.h"

namespace tfrt::compiler {
namespace {

struct PlanMemoryPass
    : public mlir::PassWrapper<PlanMemoryPass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanMemoryPass)

  PlanMemoryPass() = default;
  PlanMemoryPass(const PlanMemoryPass& other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const override { return "tfrt-plan-memory"; }
  llvm::StringRef getDescription() const override {
    return "Put tensors of known shape into one buffer per function, where they share bytes";
  }
  void getDependentDialects(mlir::DialectRegistry& registry) const override {
    registry.insert<TfrtDialect, dht::TfrtDhtDialect, ht::HtDialect>();
  }

  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    PlannedMemory memory =
        planMemory(function, [&](mlir::Operation* tensor, const llvm::Twine& reason) {
          if (!quiet) tensor->emitRemark() << "this tensor is not planned: " << reason;
        });
    if (memory.num_planned == 0 || quiet) return;
    function.emitRemark() << "planned " << memory.num_planned << " of " << memory.num_tensors
                          << " tensors: " << memory.unplanned_bytes << " bytes before, "
                          << memory.planned_bytes << " bytes after, lower bound "
                          << memory.lower_bound_bytes << " bytes";
  }

  Option<bool> quiet{*this, "quiet", llvm::cl::desc("Do not say what was gained"),
                     llvm::cl::init(false)};
};

}  // namespace

void registerPlanMemoryPass() { mlir::PassRegistration<PlanMemoryPass>(); }

}  // namespace tfrt::compiler
