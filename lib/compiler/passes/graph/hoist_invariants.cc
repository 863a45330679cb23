// Computes values that are the same in each run of a loop before the loop. Before a loop that may
// not run at all, only ops that cannot fail are moved.

#include "cannot_fail.h"
#include "dialects/graph/graph_dialect.h"
#include "graph_passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Value;

// Whether a constant is one number, or truth, of at least 1.
bool isPositive(Value value) {
  auto known = knownElements(valueTypeOf(value));
  return known && known->size() == 1 && known->front() >= 1;
}

bool runsOnce(LoopOp loop) {
  if (loop.getCount() && !isPositive(loop.getCount())) return false;
  return loop.getCondition() ? isPositive(loop.getCondition()) : loop.getCount() != nullptr;
}

struct HoistInvariantsPass : impl::HoistInvariantsPassBase<HoistInvariantsPass> {
  using HoistInvariantsPassBase::HoistInvariantsPassBase;
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
};

}  // namespace

}  // namespace tfrt::compiler::graph
