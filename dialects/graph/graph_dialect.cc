#include "dialects/graph/graph_dialect.h"

#include "dialects/graph/table_op_definition.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"

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
  registerTableOps(*this);
}

mlir::OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValueAttr(); }

llvm::LogicalResult HostCallOp::verify() {
  if (static_cast<int64_t>(getCallback()) >= 0) return mlir::success();
  return emitOpError("has the callback ") << static_cast<int64_t>(getCallback());
}

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

namespace {

// A tensor with `elements` as its element type, of one element as far as is known.
llvm::LogicalResult verifyScalar(mlir::Operation* op, mlir::Type type, unsigned bits,
                                 llvm::StringRef name) {
  auto tensor = mlir::cast<mlir::TensorType>(type);
  bool is_one = !tensor.hasStaticShape() || tensor.getNumElements() == 1;
  if (tensor.getElementType().isSignlessInteger(bits) && is_one) return mlir::success();
  return op->emitOpError() << name << " is " << type << ", expected one element of i" << bits;
}

// Whether a value of the type may be where one of the wider type is wanted.
bool fits(mlir::Type type, mlir::Type wider) {
  if (mlir::isa<TokenType>(wider)) return type == wider;
  auto from = mlir::dyn_cast<mlir::TensorType>(type), to = mlir::cast<mlir::TensorType>(wider);
  if (!from || from.getElementType() != to.getElementType()) return false;
  return !to.hasRank() || !from.hasRank() ||
         mlir::succeeded(mlir::verifyCompatibleShape(from.getShape(), to.getShape()));
}

// The end of a region. Null after an error.
ReturnOp returnOf(mlir::Operation* op, mlir::Region& region) {
  mlir::Block& block = region.front();
  auto last = block.empty() ? ReturnOp() : mlir::dyn_cast<ReturnOp>(&block.back());
  if (!last) op->emitOpError("expected graph.return at the end of a region");
  return last;
}

}  // namespace

llvm::LogicalResult IfOp::verifyRegions() {
  if (mlir::failed(verifyScalar(*this, getCondition().getType(), 1, "the condition"))) {
    return mlir::failure();
  }
  for (mlir::Region* region : getRegions()) {
    ReturnOp returned = returnOf(*this, *region);
    if (!returned) return mlir::failure();
    if (returned.getNumOperands() != getNumResults()) {
      return returned.emitOpError("has ") << returned.getNumOperands() << " operands, but the "
                                          << "'graph.if' has " << getNumResults() << " results";
    }
    for (auto [index, type] : llvm::enumerate(getResultTypes())) {
      mlir::Type given = returned.getOperand(index).getType();
      if (fits(given, type)) continue;
      return returned.emitOpError("operand ")
             << index << " is " << given << ", but the result of the 'graph.if' is " << type;
    }
  }
  return mlir::success();
}

llvm::LogicalResult LoopOp::verifyRegions() {
  if (getCount() && mlir::failed(verifyScalar(*this, getCount().getType(), 64, "the count"))) {
    return mlir::failure();
  }
  if (getCondition() &&
      mlir::failed(verifyScalar(*this, getCondition().getType(), 1, "the condition"))) {
    return mlir::failure();
  }
  const size_t carried = getInitial().size();
  mlir::Block& body = getBody().front();
  if (body.getNumArguments() != 2 + carried) {
    return emitOpError("has ") << carried << " carried values, but its region has "
                               << body.getNumArguments() << " arguments, expected " << 2 + carried;
  }
  ReturnOp returned = returnOf(*this, getBody());
  if (!returned) return mlir::failure();
  if (getNumResults() < carried || returned.getNumOperands() != 1 + getNumResults()) {
    return returned.emitOpError("has ")
           << returned.getNumOperands() << " operands, expected a condition, " << carried
           << " carried values and others, one for each of " << getNumResults() << " results";
  }
  if (mlir::failed(verifyScalar(*this, body.getArgument(0).getType(), 64, "argument 0")) ||
      mlir::failed(verifyScalar(*this, body.getArgument(1).getType(), 1, "argument 1")) ||
      mlir::failed(verifyScalar(returned, returned.getOperand(0).getType(), 1, "operand 0"))) {
    return mlir::failure();
  }
  for (unsigned i = 0; i < getNumResults(); ++i) {
    mlir::Type result = getResult(i).getType(), next = returned.getOperand(1 + i).getType();
    if (i < carried) {
      mlir::Type argument = body.getArgument(2 + i).getType();
      if (fits(getInitial()[i].getType(), argument) && fits(next, argument) &&
          fits(argument, result)) {
        continue;
      }
      return emitOpError("carried value ")
             << i << " is " << getInitial()[i].getType() << " at first, " << argument
             << " in the region, " << next << " behind it and " << result << " in the end";
    }
    auto stacked = mlir::dyn_cast<mlir::TensorType>(result);
    auto one = mlir::dyn_cast<mlir::TensorType>(next);
    bool stacks = stacked && one && stacked.getElementType() == one.getElementType();
    if (stacks && stacked.hasRank() && one.hasRank()) {
      stacks = stacked.getRank() == one.getRank() + 1 &&
               mlir::succeeded(
                   mlir::verifyCompatibleShape(stacked.getShape().drop_front(), one.getShape()));
    }
    if (!stacks) {
      return emitOpError("result ") << i << " is " << result << ", but each run makes " << next;
    }
  }
  return mlir::success();
}

}  // namespace tfrt::compiler::graph
