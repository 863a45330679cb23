// -tfrt-streamify-ops: work that a GPU is to do, by the names of its ops.

#include "gpu_passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace tfrt::compiler::gpu {

#define GEN_PASS_DEF_STREAMIFYOPSPASS
#include "lib/compiler/gpu_passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

// Whether the op ends its block, and must remain its last one.
bool endsBlock(Operation& op) {
  if (op.hasTrait<mlir::OpTrait::IsTerminator>() || op.getNumSuccessors() > 0) return true;
  return &op == &op.getBlock()->back() && op.mightHaveTrait<mlir::OpTrait::IsTerminator>() &&
         !op.getParentOp()->mightHaveTrait<mlir::OpTrait::NoTerminator>();
}

class Run {
 public:
  void add(Operation* op) { ops_.insert(op); }

  // Moves the ops, if there are any, into a tfrt_gpu.streamify in their place.
  void close() {
    if (ops_.empty()) return;
    KernelBuilder builder(ops_.front());
    llvm::SmallVector<Value> used = usedBehind();
    auto streamify = StreamifyOp::create(builder, builder.location,
                                         mlir::ValueRange(used).getTypes(), mlir::ValueRange());
    mlir::Block& body = streamify.getBody().emplaceBlock();
    Value chain = body.addArgument(ChainType::get(builder.getContext()), builder.location);
    body.addArgument(StreamType::get(builder.getContext()), builder.location);
    for (auto [value, result] : llvm::zip_equal(used, streamify.getResults())) {
      value.replaceUsesWithIf(result, [&](mlir::OpOperand& use) { return isBehind(use); });
    }
    for (Operation* op : ops_) op->moveBefore(&body, body.end());
    builder.setInsertionPointToEnd(&body);
    used.insert(used.begin(), chain);
    ReturnOp::create(builder, ops_.back()->getLoc(), used);
    ops_.clear();
  }

 private:
  bool isBehind(mlir::OpOperand& use) const {
    Operation* user = ops_.front()->getBlock()->findAncestorOpInBlock(*use.getOwner());
    return !user || !ops_.contains(user);
  }
  llvm::SmallVector<Value> usedBehind() const {
    llvm::SmallVector<Value> used;
    for (Operation* op : ops_) {
      for (Value result : op->getResults()) {
        if (llvm::any_of(result.getUses(), [&](mlir::OpOperand& use) { return isBehind(use); })) {
          used.push_back(result);
        }
      }
    }
    return used;
  }

  llvm::SetVector<Operation*> ops_;
};

struct StreamifyOpsPass : impl::StreamifyOpsPassBase<StreamifyOpsPass> {
  using StreamifyOpsPassBase::StreamifyOpsPassBase;

  void runOnOperation() override {
    llvm::StringSet<> names;
    for (const std::string& name : ops) names.insert(name);
    llvm::SmallVector<mlir::Block*> blocks;
    getOperation().walk([&](mlir::Block* block) {
      if (!mlir::isa<StreamifyOp>(block->getParentOp())) blocks.push_back(block);
    });
    for (mlir::Block* block : blocks) {
      Run run;
      for (Operation& op : llvm::make_early_inc_range(*block)) {
        if (names.contains(op.getName().getStringRef()) && !endsBlock(op)) {
          run.add(&op);
        } else {
          run.close();
        }
      }
      run.close();
    }
  }
};

}  // namespace
}  // namespace tfrt::compiler::gpu
