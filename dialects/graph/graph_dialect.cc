#include "dialects/graph/graph_dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/graph/graph_ops_dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/graph/graph_ops_types.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/graph/graph_ops.cpp.inc"

namespace tfrt::compiler::graph {

void GraphDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/graph/graph_ops_types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/graph/graph_ops.cpp.inc"
      >();
}

mlir::OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

llvm::LogicalResult ReturnOp::verify() {
  auto function = mlir::dyn_cast<mlir::func::FuncOp>((*this)->getParentOp());
  if (!function) return mlir::success();
  mlir::TypeRange wanted = function.getFunctionType().getResults();
  if (wanted.size() != getNumOperands()) {
    return emitOpError("has ") << getNumOperands() << " operands, but the function has "
                               << wanted.size() << " results";
  }
  for (auto [index, type] : llvm::enumerate(wanted)) {
    if (getOperand(index).getType() == type) continue;
    return emitOpError("operand ") << index << " is " << getOperand(index).getType()
                                   << ", but the function's result is " << type;
  }
  return mlir::success();
}

}  // namespace tfrt::compiler::graph
