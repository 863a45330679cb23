// Syntax, verifiers, canonicalisation and call interface of the tfrt ops.

#include "dialects/region_ops.h"
#include "dialects/tfrt/tfrt_dialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

#define GET_OP_CLASSES
#include "dialects/tfrt/tfrt_ops.cpp.inc"

namespace tfrt::compiler {

using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;
using mlir::Type;
using mlir::func::FuncOp;

// --- tfrt.return ---

LogicalResult ReturnOp::verify() {
  auto function = llvm::dyn_cast_or_null<FuncOp>((*this)->getParentOp());
  if (!function) return success();  // the ops with regions check their own returns
  auto results = function.getFunctionType().getResults();
  if (getNumOperands() != results.size()) {
    return emitOpError("has ") << getNumOperands() << " operands, but enclosing function returns "
                               << results.size();
  }
  for (unsigned i = 0; i < results.size(); ++i) {
    if (getOperand(i).getType() != results[i]) {
      return emitError() << "type of return operand " << i << " (" << getOperand(i).getType()
                         << ") doesn't match function result type (" << results[i] << ")";
    }
  }
  return success();
}

// --- tfrt.merge.chains ---

// Drops operands that have another use: that use waits for them. The operands with this one use
// remain; if there are none, the first operand stands for all.
LogicalResult MergeChainsOp::canonicalize(MergeChainsOp op, mlir::PatternRewriter& rewriter) {
  llvm::SmallVector<mlir::Value> used_once;
  for (mlir::Value operand : op.getOperands()) {
    if (operand.hasOneUse()) used_once.push_back(operand);
  }
  auto function = op->getParentOfType<FuncOp>();
  if (function && function->hasAttr(TfrtDialect::kMemoryPlanned)) return failure();
  if (op.getNumOperands() == 0 || used_once.size() == op.getNumOperands()) return failure();
  if (!used_once.empty()) {
    rewriter.replaceOpWithNewOp<MergeChainsOp>(op, op.getType(), used_once);
    return success();
  }
  // Only a chain can stand for a chain.
  if (op.getOperand(0).getType() != op.getType()) return failure();
  rewriter.replaceOp(op, op.getOperand(0));
  return success();
}

// --- tfrt.call ---

mlir::CallInterfaceCallable CallOp::getCallableForCallee() { return getCalleeAttr(); }
void CallOp::setCalleeFromCallable(mlir::CallInterfaceCallable callee) {
  setCalleeAttr(llvm::cast<mlir::FlatSymbolRefAttr>(llvm::cast<mlir::SymbolRefAttr>(callee)));
}
mlir::Operation::operand_range CallOp::getArgOperands() { return getOperands(); }
mlir::MutableOperandRange CallOp::getArgOperandsMutable() { return getOperandsMutable(); }

LogicalResult CallOp::verify() {
  auto function = llvm::cast_or_null<FuncOp>(lookUpFunction(*this, "callee", "callee"));
  if (!function) return failure();
  mlir::FunctionType type = function.getFunctionType();
  if (type.getNumInputs() != getNumOperands()) {
    return emitOpError("incorrect number of operands for callee");
  }
  if (mlir::TypeRange(type.getInputs()) != getOperandTypes()) {
    return emitOpError("operand type mismatch");
  }
  if (type.getNumResults() != getNumResults()) {
    return emitOpError("incorrect number of results for callee");
  }
  if (mlir::TypeRange(type.getResults()) != getResultTypes()) {
    return emitOpError("result type mismatch");
  }
  return success();
}

// --- tfrt.cond ---

LogicalResult CondOp::verify() {
  // A missing b_false_fn is reported under the name a_false_fn, as ever.
  auto true_fn = llvm::cast_or_null<FuncOp>(lookUpFunction(*this, "a_true_fn", "a_true_fn"));
  if (!true_fn) return failure();
  auto false_fn = llvm::cast_or_null<FuncOp>(lookUpFunction(*this, "b_false_fn", "a_false_fn"));
  if (!false_fn) return failure();
  mlir::FunctionType types[] = {true_fn.getFunctionType(), false_fn.getFunctionType()};
  llvm::StringRef names[] = {"true", "false"};
  mlir::TypeRange operands = getArguments().getTypes();
  auto check = [&](auto&& is_wrong, llvm::StringRef message) -> LogicalResult {
    for (int i = 0; i < 2; ++i) {
      if (is_wrong(types[i])) return emitOpError() << message << " " << names[i] << " function";
    }
    return success();
  };
  if (failed(check([&](auto type) { return type.getNumInputs() != operands.size(); },
                   "incorrect number of operands for")) ||
      failed(check([&](auto type) { return mlir::TypeRange(type.getInputs()) != operands; },
                   "operand type mismatch for")) ||
      failed(check([&](auto type) { return type.getNumResults() != getNumResults(); },
                   "incorrect number of results for"))) {
    return failure();
  }
  return check([&](auto type) { return mlir::TypeRange(type.getResults()) != getResultTypes(); },
               "result type mismatch for");
}

// --- tfrt.if ---

ParseResult IfOp::parse(OpAsmParser& parser, OperationState& result) {
  UnresolvedOperands operands;
  llvm::SMLoc loc = parser.getCurrentLocation();
  mlir::FunctionType type;
  if (parser.parseOperandList(operands)) return failure();
  if (operands.empty()) return parser.emitError(parser.getNameLoc(), "expected condition");
  if (succeeded(parser.parseOptionalKeyword("attributes")) &&
      parser.parseOptionalAttrDict(result.attributes)) {
    return failure();
  }
  if (parser.parseColonType(type)) return failure();
  llvm::SmallVector<Type, 4> types = {parser.getBuilder().getI1Type()};
  llvm::append_range(types, type.getInputs());
  if (parser.resolveOperands(operands, types, loc, result.operands)) return failure();
  result.addTypes(type.getResults());

  auto arguments = llvm::ArrayRef(operands).drop_front();
  if (parseRegionWithOperandNames(parser, result.addRegion(), arguments, type.getInputs())) {
    return failure();
  }
  mlir::Region* else_region = result.addRegion();
  if (succeeded(parser.parseOptionalKeyword("else"))) {
    return parseRegionWithOperandNames(parser, else_region, arguments, type.getInputs());
  }
  if (type.getNumResults() != 0) {
    return parser.emitError(parser.getNameLoc(), "expected 'else' in 'tfrt.if' with result values");
  }
  mlir::Block& block = else_region->emplaceBlock();
  for (Type input : type.getInputs()) block.addArgument(input, result.location);
  mlir::OpBuilder builder(parser.getContext());
  builder.setInsertionPointToEnd(&block);
  ReturnOp::create(builder, result.location, mlir::TypeRange(), mlir::ValueRange());
  return success();
}

void IfOp::print(OpAsmPrinter& p) {
  p << ' ' << getOperands();
  p.printOptionalAttrDict((*this)->getAttrs());
  p << " : ";
  printFunctionalType(p, getArguments().getTypes(), getResultTypes());
  p << "  ";
  printRegionWithOperandNames(p, getThenRegion(), getArguments());
  p << " else  ";
  printRegionWithOperandNames(p, getElseRegion(), getArguments());
}

LogicalResult IfOp::verify() {
  mlir::TypeRange arguments = getArguments().getTypes();
  mlir::Region* regions[] = {&getThenRegion(), &getElseRegion()};
  llvm::StringRef names[] = {"then", "else"};
  for (int i = 0; i < 2; ++i) {
    if (regions[i]->getNumArguments() != arguments.size()) {
      return emitOpError() << "incorrect number of arguments to '" << names[i] << "' block";
    }
  }
  for (mlir::Region* region : regions) {
    if (mlir::TypeRange(region->getArgumentTypes()) != arguments) {
      return emitOpError("operand/argument type mismatch");
    }
  }
  for (mlir::Region* region : regions) {
    if (failed(verifyReturnMatchesResults(*this, *region))) return failure();
  }
  return success();
}

// --- tfrt.repeat.i32 ---

ParseResult RepeatI32Op::parse(OpAsmParser& parser, OperationState& result) {
  UnresolvedOperands operands;
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::SmallVector<Type, 4> types = {parser.getBuilder().getI32Type()};
  if (parser.parseOperandList(operands)) return failure();
  if (operands.empty()) return parser.emitError(parser.getNameLoc(), "expected trip count");
  if (succeeded(parser.parseOptionalKeyword("attributes")) &&
      parser.parseOptionalAttrDict(result.attributes)) {
    return failure();
  }
  llvm::SmallVector<Type, 4> loop_types;
  if (succeeded(parser.parseOptionalColon()) && parser.parseTypeList(loop_types)) return failure();
  llvm::append_range(types, loop_types);
  if (parser.resolveOperands(operands, types, loc, result.operands)) return failure();
  result.addTypes(loop_types);
  return parseRegionWithOperandNames(parser, result.addRegion(),
                                     llvm::ArrayRef(operands).drop_front(), loop_types);
}

void RepeatI32Op::print(OpAsmPrinter& p) {
  p << ' ' << getOperands();
  p.printOptionalAttrDict((*this)->getAttrs());
  if (!getLoopOperands().empty()) {
    p << " : ";
    llvm::interleaveComma(getLoopOperands().getTypes(), p);
  }
  p << ' ';
  printRegionWithOperandNames(p, getRegion(), getLoopOperands());
}

LogicalResult RepeatI32Op::verify() {
  if (getLoopOperands().size() != getNumResults()) {
    return emitOpError("incorrect number of operands");
  }
  if (mlir::TypeRange(getLoopOperands().getTypes()) != getResultTypes()) {
    return emitOpError("operand/result type mismatch");
  }
  return verifyReturnMatchesResults(*this, getRegion());
}

// --- tfrt.parallel_for.i32, tfrt.parallel_call.i32 ---

ParseResult ParallelForI32Op::parse(OpAsmParser& parser, OperationState& result) {
  UnresolvedOperands range(3), extra;
  llvm::SmallVector<Type, 4> extra_types;
  Type i32 = parser.getBuilder().getI32Type();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperand(range[0]) || parser.parseKeyword("to") || parser.parseOperand(range[1]) ||
      parser.parseKeyword("fixed") || parser.parseOperand(range[2])) {
    return failure();
  }
  if (succeeded(parser.parseOptionalComma()) && parser.parseOperandList(extra)) return failure();
  if (succeeded(parser.parseOptionalColon()) && parser.parseTypeList(extra_types)) return failure();
  if (parser.resolveOperands(range, i32, result.operands) ||
      parser.resolveOperands(extra, extra_types, loc, result.operands)) {
    return failure();
  }
  result.addTypes(ChainType::get(parser.getContext()));
  UnresolvedOperands named = {range[0], range[1]};
  llvm::append_range(named, extra);
  llvm::SmallVector<Type, 4> types = {i32, i32};
  llvm::append_range(types, extra_types);
  return parseRegionWithOperandNames(parser, result.addRegion(), named, types);
}

void ParallelForI32Op::print(OpAsmPrinter& p) {
  p << ' ' << getStart() << " to " << getEnd() << " fixed " << getBlockSize();
  if (!getLoopOperands().empty()) {
    p << ", " << getLoopOperands() << " : ";
    llvm::interleaveComma(getLoopOperands().getTypes(), p);
  }
  p << ' ';
  llvm::SmallVector<mlir::Value> named = {getStart(), getEnd()};
  llvm::append_range(named, getLoopOperands());
  printRegionWithOperandNames(p, getRegion(), named);
}

LogicalResult ParallelForI32Op::verify() {
  mlir::Block& block = getRegion().front();
  // A body without results is synchronous: a block is done when it returns.
  if (!block.empty() && mlir::isa<ReturnOp>(block.back()) && block.back().getNumOperands() == 0) {
    return success();
  }
  return verifyReturnMatchesResults(*this, getRegion());
}

LogicalResult ParallelCallI32Op::verify() {
  auto function = llvm::cast_or_null<FuncOp>(lookUpFunction(*this, "callee", "callee"));
  if (!function) return failure();
  mlir::FunctionType type = function.getFunctionType();
  // The callee takes the start and end of a block, then the extra operands; not the block size.
  if (type.getNumInputs() != getLoopOperands().size() + 2) {
    return emitOpError("incorrect number of callee operands");
  }
  if (!type.getInput(0).isInteger(32) || !type.getInput(1).isInteger(32)) {
    return emitOpError("callee must take stard and end indices first");
  }
  if (mlir::TypeRange(type.getInputs().drop_front(2)) !=
      mlir::TypeRange(getLoopOperands().getTypes())) {
    return emitOpError("operand type mismatch");
  }
  if (type.getNumResults() > 1) return emitOpError("invalid callee result type");
  if (type.getNumResults() == 1 && !mlir::isa<ChainType>(type.getResult(0))) {
    return emitOpError("async callee must return a chain");
  }
  return success();
}

}  // namespace tfrt::compiler
