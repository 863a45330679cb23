#include "outline_regions.h"

#include "dialects/graph/graph_dialect.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tfrt::compiler {
namespace {

using mlir::Value;
using mlir::func::FuncOp;

// A function with the region's body. Its arguments are the region's, and then the captured values.
FuncOp makeFunction(FuncOp parent, llvm::StringRef name, mlir::Region& region,
                    llvm::ArrayRef<Value> captured) {
  mlir::OpBuilder builder(parent->getContext());
  mlir::Block& body = region.front();
  for (Value value : captured) {
    Value argument = body.addArgument(value.getType(), value.getLoc());
    value.replaceUsesWithIf(argument, [&](mlir::OpOperand& use) {
      return region.isAncestor(use.getOwner()->getParentRegion());
    });
  }
  auto type = builder.getFunctionType(body.getArgumentTypes(), body.back().getOperandTypes());
  mlir::Location location = region.getParentOp()->getLoc();
  auto function = FuncOp::create(location, name, type);
  function.setPrivate();
  function.getBody().takeBody(region);
  return function;
}

class Outliner {
 public:
  explicit Outliner(FuncOp parent) : parent_(parent), behind_(parent) {}

  void outline(graph::IfOp op) {
    llvm::SetVector<Value> captured;
    mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
    auto then_function = add("then", op.getThenRegion(), captured.getArrayRef());
    auto else_function = add("else", op.getElseRegion(), captured.getArrayRef());
    ++count_;
    mlir::OpBuilder builder(op);
    auto call =
        graph::IfCallOp::create(builder, op.getLoc(), op.getResultTypes(), op.getCondition(),
                                captured.getArrayRef(), else_function, then_function);
    op->replaceAllUsesWith(call);
    op->erase();
  }

  void outline(graph::LoopOp op) {
    llvm::SetVector<Value> captured;
    mlir::getUsedValuesDefinedAbove(op->getRegions(), captured);
    llvm::SmallVector<int64_t> stacked;
    for (Value result : op.getResults().drop_front(op.getInitial().size())) {
      auto tensor = mlir::cast<mlir::TensorType>(result.getType());
      stacked.push_back(static_cast<int64_t>(dtypeOf(tensor.getElementType())));
      if (!tensor.hasRank()) {
        stacked.push_back(-1);
        continue;
      }
      stacked.push_back(tensor.getRank() - 1);
      for (int64_t size : tensor.getShape().drop_front()) {
        stacked.push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
      }
    }
    llvm::SmallVector<Value> values(op.getOperands());
    values.append(captured.begin(), captured.end());
    auto body = add("loop", op.getBody(), captured.getArrayRef());
    ++count_;
    mlir::OpBuilder builder(op);
    auto call = graph::LoopCallOp::create(
        builder, op.getLoc(), op.getResultTypes(), values, body,
        builder.getI64IntegerAttr(static_cast<int64_t>(op.getInitial().size())),
        builder.getBoolAttr(static_cast<bool>(op.getCondition())),
        builder.getBoolAttr(static_cast<bool>(op.getCount())),
        builder.getDenseI64ArrayAttr(stacked));
    op->replaceAllUsesWith(call);
    op->erase();
  }

 private:
  mlir::FlatSymbolRefAttr add(llvm::StringRef kind, mlir::Region& region,
                              llvm::ArrayRef<Value> captured) {
    std::string name = (parent_.getName() + "." + kind + llvm::Twine(count_)).str();
    FuncOp function = makeFunction(parent_, name, region, captured);
    behind_->getBlock()->getOperations().insert(std::next(behind_->getIterator()), function);
    behind_ = function;
    return mlir::FlatSymbolRefAttr::get(function);
  }

  FuncOp parent_;
  FuncOp behind_;
  int count_ = 0;
};

}  // namespace

void outlineRegions(FuncOp function) {
  // Inner ones first: what they capture, the outer ones capture, too.
  llvm::SmallVector<mlir::Operation*> ops;
  function.walk([&](mlir::Operation* op) {
    if (mlir::isa<graph::IfOp, graph::LoopOp>(op)) ops.push_back(op);
  });
  Outliner outliner(function);
  for (mlir::Operation* op : ops) {
    if (auto if_op = mlir::dyn_cast<graph::IfOp>(op)) {
      outliner.outline(if_op);
    } else {
      outliner.outline(mlir::cast<graph::LoopOp>(op));
    }
  }
}

}  // namespace tfrt::compiler
