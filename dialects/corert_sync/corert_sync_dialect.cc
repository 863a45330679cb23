#include "dialects/corert_sync/corert_sync_dialect.h"

#include "dialects/corert/execute_op.h"
#include "dialects/kernel_ops.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/corert_sync/corert_sync_ops_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/corert_sync/corert_sync_ops.cpp.inc"

namespace tfrt::compiler::corert_sync {

void CorertSyncDialect::initialize() {
  // Kernels without an op definition are used in generic form.
  allowUnknownTypes();
  allowUnknownOperations();
  addOperations<
#define GET_OP_LIST
#include "dialects/corert_sync/corert_sync_ops.cpp.inc"
      >();
#include "dialects/corert_sync/corert_sync_ops_kernels.inc"
}

mlir::Operation* CorertSyncDialect::materializeConstant(mlir::OpBuilder& builder,
                                                        mlir::Attribute value, mlir::Type type,
                                                        mlir::Location location) {
  auto elements = mlir::dyn_cast<mlir::DenseElementsAttr>(value);
  if (!elements || !mlir::isa<corert::TensorHandleType>(type)) return nullptr;
  return ConstDenseTensorOp::create(builder, location, type, elements);
}

mlir::OpFoldResult ConstDenseTensorOp::fold(FoldAdaptor) { return getValue(); }

mlir::ParseResult ExecuteOp::parse(mlir::OpAsmParser& parser, mlir::OperationState& result) {
  return corert::parseExecuteOp(parser, result, corert::OpHandlerType::get(parser.getContext()),
                                /*keeps_func_attrs=*/false);
}

void ExecuteOp::print(mlir::OpAsmPrinter& p) {
  // The name is there already: it is printed twice, as ever, and cannot be read back.
  p << getOperationName();
  corert::printExecuteOp(p, getODSOperands(0), getOpNameAttr(), getArguments(), getOpAttrs(),
                         /*op_func_attrs=*/{}, getNumResults());
}

mlir::LogicalResult ExecuteOp::verify() {
  return corert::verifyPairs(*this, getOpAttrs(), "op_attr");
}

mlir::LogicalResult ExecuteOp::fold(FoldAdaptor,
                                    llvm::SmallVectorImpl<mlir::OpFoldResult>& results) {
  mlir::Attribute value = corert::foldExecuteOp(*this, getOpName(), getOpAttrs());
  if (!value) return mlir::failure();
  results.push_back(value);
  return mlir::success();
}

}  // namespace tfrt::compiler::corert_sync
