// Removes everything that is not used: ops without effects, results of branches, values that loops
// carry and stack. A value that a loop carries without changing it is captured from outside
// instead.

#include "dialects/graph/graph_dialect.h"
#include "graph_passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::graph {

#define GEN_PASS_DEF_DEADCODEPASS
#include "lib/compiler/graph_passes.h.inc"

namespace {

using mlir::Value;

void eraseDead(mlir::Block& block) {
  for (mlir::Operation& op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (mlir::isOpTriviallyDead(&op)) {
      op.erase();
      continue;
    }
    for (mlir::Region& region : op.getRegions()) {
      for (mlir::Block& inner : region) eraseDead(inner);
    }
  }
}

// The results that stay, as those of an op that has only them.
void replaceKept(mlir::Operation* op, mlir::Operation* made, const llvm::BitVector& kept) {
  unsigned next = 0;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    if (kept[i]) op->getResult(i).replaceAllUsesWith(made->getResult(next++));
  }
  op->erase();
}

llvm::SmallVector<mlir::Type> keptTypes(mlir::Operation* op, const llvm::BitVector& kept) {
  llvm::SmallVector<mlir::Type> types;
  for (unsigned i : kept.set_bits()) types.push_back(op->getResult(i).getType());
  return types;
}

bool pruneIf(IfOp op) {
  llvm::BitVector kept(op.getNumResults());
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    if (!result.use_empty()) kept.set(static_cast<unsigned>(index));
  }
  if (kept.all()) return false;
  for (mlir::Region* region : op.getRegions()) {
    mlir::Operation* returned = region->front().getTerminator();
    for (unsigned i = op.getNumResults(); i-- > 0;) {
      if (!kept[i]) returned->eraseOperand(i);
    }
  }
  mlir::OpBuilder builder(op);
  auto made = IfOp::create(builder, op.getLoc(), keptTypes(op, kept), op.getCondition());
  made.getThenRegion().takeBody(op.getThenRegion());
  made.getElseRegion().takeBody(op.getElseRegion());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replaceKept(op, made, kept);
  return true;
}

// A carried value that stays what it was.
bool uncarryUnchanged(LoopOp op) {
  mlir::Block& body = op.getBody().front();
  bool changed = false;
  for (unsigned i = 0; i < op.getInitial().size(); ++i) {
    Value initial = op.getInitial()[i], argument = body.getArgument(2 + i);
    if (body.getTerminator()->getOperand(1 + i) != argument) continue;
    if (initial.getType() != argument.getType()) continue;
    // Its own place at the end of the region stays, as one that nobody asks for.
    for (mlir::OpOperand& use : llvm::make_early_inc_range(argument.getUses())) {
      if (use.getOwner() == body.getTerminator() && use.getOperandNumber() == 1 + i) continue;
      use.set(initial);
      changed = true;
    }
    Value result = op.getResult(i);
    if (result.getType() != initial.getType() || result.use_empty()) continue;
    result.replaceAllUsesWith(initial);
    changed = true;
  }
  return changed;
}

// Returns the results of the loop that are used, and those from which a run computes them.
llvm::BitVector neededResults(LoopOp op) {
  mlir::Block& body = op.getBody().front();
  mlir::Operation* returned = body.getTerminator();
  const auto carried = static_cast<unsigned>(op.getInitial().size());
  llvm::BitVector needed(op.getNumResults());
  llvm::DenseSet<Value> seen;
  llvm::SmallVector<Value> open = {returned->getOperand(0)};
  for (unsigned i = 0; i < op.getNumResults(); ++i) {
    const bool is_token = mlir::isa<TokenType>(op.getResult(i).getType());
    if (op.getResult(i).use_empty() && !is_token) continue;
    needed.set(i);
    open.push_back(returned->getOperand(1 + i));
  }
  auto need = [&](mlir::Operation* maker) {
    // All that it sees, in its regions, too.
    maker->walk(
        [&](mlir::Operation* inner) { open.append(inner->operand_begin(), inner->operand_end()); });
  };
  for (mlir::Operation& inner : body.without_terminator()) {
    if (!mlir::isMemoryEffectFree(&inner)) need(&inner);
  }
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!seen.insert(value).second) continue;
    if (mlir::Operation* maker = value.getDefiningOp()) {
      if (op->isProperAncestor(maker)) need(maker);
      continue;
    }
    auto argument = mlir::cast<mlir::BlockArgument>(value);
    if (argument.getOwner() != &body || argument.getArgNumber() < 2) continue;
    const unsigned index = argument.getArgNumber() - 2;
    if (index >= carried || needed[index]) continue;
    needed.set(index);
    open.push_back(returned->getOperand(1 + index));
  }
  return needed;
}

bool pruneLoop(LoopOp op) {
  const llvm::BitVector kept = neededResults(op);
  if (kept.all()) return false;
  mlir::Block& body = op.getBody().front();
  const auto carried = static_cast<unsigned>(op.getInitial().size());
  llvm::SmallVector<Value> initial;
  for (unsigned i = 0; i < carried; ++i) {
    if (kept[i]) initial.push_back(op.getInitial()[i]);
  }
  for (unsigned i = op.getNumResults(); i-- > 0;) {
    if (!kept[i]) body.getTerminator()->eraseOperand(1 + i);
  }
  eraseDead(body);
  for (unsigned i = carried; i-- > 0;) {
    if (!kept[i]) body.eraseArgument(2 + i);
  }
  mlir::OpBuilder builder(op);
  auto made = LoopOp::create(builder, op.getLoc(), keptTypes(op, kept), op.getCount(),
                             op.getCondition(), initial);
  made.getBody().takeBody(op.getBody());
  made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replaceKept(op, made, kept);
  return true;
}

struct DeadCodePass : impl::DeadCodePassBase<DeadCodePass> {
  void runOnOperation() override {
    mlir::func::FuncOp function = getOperation();
    if (function.isExternal()) return;
    for (bool changed = true; changed;) {
      changed = false;
      eraseDead(function.getBody().front());
      llvm::SmallVector<mlir::Operation*> ops;
      function.walk([&](mlir::Operation* op) {
        if (mlir::isa<IfOp, LoopOp>(op)) ops.push_back(op);
      });
      // Outer ones last: those that are replaced are not in the list any more.
      for (mlir::Operation* op : ops) {
        if (auto branch = mlir::dyn_cast<IfOp>(op)) {
          changed |= pruneIf(branch);
        } else {
          auto loop = mlir::cast<LoopOp>(op);
          changed |= uncarryUnchanged(loop);
          changed |= pruneLoop(loop);
        }
      }
    }
  }
};

}  // namespace

}  // namespace tfrt::compiler::graph
