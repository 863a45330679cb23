// Computes values that are the same in each run of a loop before the loop. Before a loop that may
// not run at all, only ops that cannot fail are moved.

#include "cannot_fail.h"
#include "dialects/graph/graph_dialect.h"
#include "graph_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::graph {
namespace {

using mlir::Value;

// The number or truth that a constant is.
std::optional<int64_t> integerConstantOf(Value value) {
  auto constant = value ? value.getDefiningOp<ConstantOp>() : ConstantOp();
  if (!constant) return std::nullopt;
  auto elements = mlir::dyn_cast<mlir::DenseIntElementsAttr>(constant.getValue());
  if (!elements || elements.getNumElements() != 1) return std::nullopt;
  return static_cast<int64_t>((*elements.begin()).getZExtValue());
}

bool runsOnce(LoopOp loop) {
  if (loop.getCount()) {
    auto count = integerConstantOf(loop.getCount());
    if (!count || *count < 1) return false;
  }
  if (!loop.getCondition()) return static_cast<bool>(loop.getCount());
  auto condition = integerConstantOf(loop.getCondition());
  return condition && *condition != 0;
}

struct HoistInvariantsPass
    : mlir::PassWrapper<HoistInvariantsPass, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HoistInvariantsPass)

  HoistInvariantsPass() = default;
  HoistInvariantsPass(const HoistInvariantsPass& other) : PassWrapper(other) {}
  llvm::StringRef getArgument() const override { return "graph-hoist-invariants"; }
  llvm::StringRef getDescription() const override {
    return "Move what does not change out of loops";
  }

  void runOnOperation() override {
    unsigned count = 0;
    // Inner loops first: what leaves them may leave the outer ones, too.
    getOperation().walk([&](LoopOp loop) { count += hoist(loop); });
    if (remarks) getOperation().emitRemark() << "moved " << count << " ops out of loops";
  }

 private:
  static unsigned hoist(LoopOp loop) {
    const bool runs = runsOnce(loop);
    mlir::Region& body = loop.getBody();
    unsigned count = 0;
    for (mlir::Operation& op : llvm::make_early_inc_range(body.front().without_terminator())) {
      if (op.getNumRegions() > 0 || !mlir::isPure(&op)) continue;
      const bool is_constant = mlir::isa<ConstantOp>(op);
      const bool sees_outside = llvm::all_of(op.getOperands(), [&](Value operand) {
        return !body.isAncestor(operand.getParentRegion());
      });
      if (!sees_outside || !(is_constant || runs || cannotFail(&op))) continue;
      op.moveBefore(loop);
      count += !is_constant;
    }
    return count;
  }

  Option<bool> remarks{*this, "remarks", llvm::cl::desc("Report how much was done"),
                       llvm::cl::init(false)};
};

}  // namespace

std::unique_ptr<mlir::Pass> createHoistInvariantsPass() {
  return std::make_unique<HoistInvariantsPass>();
}

}  // namespace tfrt::compiler::graph
