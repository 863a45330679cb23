// Syntax, verifiers and folding of the corert ops.

#include "dialects/corert/corert_dialect.h"
#include "dialects/corert/execute_op.h"
#include "dialects/region_ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tfrt::compiler::corert {

// "(t, t) -> (t)", where both lists may be empty. The generated code finds both by their names.
static mlir::ParseResult parseTypeLists(mlir::OpAsmParser& parser,
                                        llvm::SmallVectorImpl<mlir::Type>& inputs,
                                        llvm::SmallVectorImpl<mlir::Type>& results) {
  auto parse_list = [&](llvm::SmallVectorImpl<mlir::Type>& types) {
    return parser.parseCommaSeparatedList(mlir::OpAsmParser::Delimiter::Paren,
                                          [&] { return parser.parseType(types.emplace_back()); });
  };
  return mlir::ParseResult(
      mlir::failure(parse_list(inputs) || parser.parseArrow() || parse_list(results)));
}

static void printTypeLists(mlir::OpAsmPrinter& printer, mlir::Operation*, mlir::TypeRange inputs,
                           mlir::TypeRange results) {
  printFunctionalType(printer, inputs, results);
}

}  // namespace tfrt::compiler::corert

#define GET_OP_CLASSES
#include "dialects/corert/corert_ops.cpp.inc"

namespace tfrt::compiler::corert {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;

// --- corert.const_dense_tensor ---

mlir::OpFoldResult ConstDenseTensorOp::fold(FoldAdaptor) { return getValue(); }

// --- corert.executeop ---

ParseResult ExecuteOp::parse(OpAsmParser& parser, OperationState& result) {
  return parseExecuteOp(parser, result, OpHandlerType::get(parser.getContext()),
                        /*keeps_func_attrs=*/true);
}

void ExecuteOp::print(OpAsmPrinter& p) {
  printExecuteOp(p, getODSOperands(0), getOpNameAttr(), getArguments(), getOpAttrs(),
                 getOpFuncAttrs(), getNumResults());
}

LogicalResult ExecuteOp::verify() {
  if (failed(verifyPairs(*this, getOpAttrs(), "op_attr"))) return failure();
  return verifyPairs(*this, getOpFuncAttrs(), "op_func_attr");
}

LogicalResult ExecuteOp::fold(FoldAdaptor, llvm::SmallVectorImpl<mlir::OpFoldResult>& results) {
  mlir::Attribute value = foldExecuteOp(*this, getOpName(), getOpAttrs());
  if (!value) return failure();
  results.push_back(value);
  return success();
}

// --- corert.executeop.seq ---

ParseResult ExecuteOpSeq::parse(OpAsmParser& parser, OperationState& result) {
  mlir::Type chain = ChainType::get(parser.getContext());
  result.addTypes(chain);
  return parseExecuteOp(parser, result, {OpHandlerType::get(parser.getContext()), chain},
                        /*keeps_func_attrs=*/true);
}

void ExecuteOpSeq::print(OpAsmPrinter& p) {
  printExecuteOp(p, getOperands().take_front(2), getOpNameAttr(), getArguments(), getOpAttrs(),
                 getOpFuncAttrs(), getResults().size());
}

LogicalResult ExecuteOpSeq::verify() {
  if (failed(verifyPairs(*this, getOpAttrs(), "op_attr"))) return failure();
  return verifyPairs(*this, getOpFuncAttrs(), "op_func_attr");
}

// --- corert.cond, corert.while ---

// Checks the function that an attribute names: it takes `operands` and returns `results`.
static LogicalResult verifyFunction(mlir::Operation* op, llvm::StringRef attribute,
                                    mlir::TypeRange operands, mlir::TypeRange results) {
  auto function = llvm::cast_or_null<mlir::func::FuncOp>(lookUpFunction(op, attribute, attribute));
  if (!function) return failure();
  if (mlir::TypeRange(function.getArgumentTypes()) != operands) {
    return op->emitOpError() << "'" << function.getName() << "' has mismatching operand types";
  }
  if (mlir::TypeRange(function.getResultTypes()) != results) {
    return op->emitOpError() << "'" << function.getName() << "' has mismatching result types";
  }
  return success();
}

LogicalResult CondOp::verify() {
  mlir::TypeRange operands = mlir::TypeRange((*this)->getOperandTypes()).drop_front();
  if (failed(verifyFunction(*this, "a_true_fn", operands, getResultTypes()))) return failure();
  return verifyFunction(*this, "b_false_fn", operands, getResultTypes());
}

// The condition returns what the body does, if only formally: its second result is the condition.
LogicalResult WhileOp::verify() {
  mlir::TypeRange operands = getOperandTypes();
  if (failed(verifyFunction(*this, "a_cond_fn", operands, getResultTypes()))) return failure();
  return verifyFunction(*this, "b_body_fn", operands, getResultTypes());
}

}  // namespace tfrt::compiler::corert
