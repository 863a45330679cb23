#include "dialects/tfrt_test/tfrt_test_dialect.h"

#include "dialects/kernel_ops.h"

#include "dialects/region_ops.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tfrt_test/tfrt_test_ops_dialect.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/tfrt_test/tfrt_test_ops.cpp.inc"

namespace tfrt::compiler {

using mlir::failure;
using mlir::LogicalResult;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::OperationState;
using mlir::ParseResult;
using mlir::success;
using mlir::Type;

bool isProtoExample(Type type) {
  auto opaque = mlir::dyn_cast<mlir::OpaqueType>(type);
  return opaque && opaque.getDialectNamespace() == "proto" && opaque.getTypeData() == "example";
}
Type getProtoExampleType(mlir::MLIRContext* context) {
  return mlir::OpaqueType::get(mlir::StringAttr::get(context, "proto"), "example");
}

void TfrtTestDialect::initialize() {
  allowUnknownTypes();
  allowUnknownOperations();
  addOperations<
#define GET_OP_LIST
#include "dialects/tfrt_test/tfrt_test_ops.cpp.inc"
      >();
#include "dialects/tfrt_test/tfrt_test_ops_kernels.inc"
}

Type TfrtTestDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::StringRef keyword;
  if (parser.parseKeyword(&keyword)) return {};
  return mlir::OpaqueType::get(mlir::StringAttr::get(getContext(), getNamespace()), keyword);
}
// All types of this dialect are opaque and printed by the framework.
void TfrtTestDialect::printType(Type, mlir::DialectAsmPrinter&) const {}

// --- tfrt_test.do.async ---

ParseResult DoAsyncOp::parse(OpAsmParser& parser, OperationState& result) {
  UnresolvedOperands operands;
  mlir::FunctionType type;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands)) return failure();
  if (succeeded(parser.parseOptionalKeyword("attributes")) &&
      parser.parseOptionalAttrDict(result.attributes)) {
    return failure();
  }
  if (parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands)) {
    return failure();
  }
  result.addTypes(type.getResults());
  return parseRegionWithOperandNames(parser, result.addRegion(), operands, type.getInputs());
}

void DoAsyncOp::print(OpAsmPrinter& p) {
  p << ' ' << getOperands();
  if (!(*this)->getAttrs().empty()) {
    p << " attributes ";
    p.printOptionalAttrDict((*this)->getAttrs());
  }
  p << " : ";
  printFunctionalType(p, getOperandTypes(), getResultTypes());
  p << "  ";
  printRegionWithOperandNames(p, getRegion(), getOperands());
}

LogicalResult DoAsyncOp::verify() { return verifyReturnMatchesResults(*this, getRegion()); }

// --- tfrt_test.benchmark, tfrt_test.sync_benchmark ---

namespace {

// '(' [ %a : type { ',' %a : type } ] ')'
ParseResult parseTypedOperands(OpAsmParser& parser, UnresolvedOperands& operands,
                               llvm::SmallVectorImpl<Type>& types) {
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&]() -> ParseResult {
    return ParseResult(failure(parser.parseOperand(operands.emplace_back()) ||
                               parser.parseColonType(types.emplace_back())));
  });
}

// key '=' int { ',' key '=' int }: i32 attributes, given as signed or unsigned numbers
ParseResult parseNumbers(OpAsmParser& parser, mlir::NamedAttrList& attributes) {
  mlir::Builder builder(parser.getContext());
  do {
    llvm::StringRef key;
    llvm::SMLoc loc = parser.getCurrentLocation();
    if (failed(parser.parseOptionalKeyword(&key))) {
      return parser.emitError(loc, "expected valid keyword");
    }
    llvm::APInt value;
    if (parser.parseEqual()) return failure();
    loc = parser.getCurrentLocation();
    mlir::OptionalParseResult number = parser.parseOptionalInteger(value);
    if (!number.has_value() || failed(*number)) return parser.emitError(loc, "expected integer");
    if (value.getSignificantBits() > 33 || (!value.isNegative() && value.getActiveBits() > 32) ||
        (value.isNegative() && value.getSignificantBits() > 32)) {
      return parser.emitError(loc, "integer value too large");
    }
    attributes.set(key, mlir::IntegerAttr::get(builder.getI32Type(), value.sextOrTrunc(32)));
  } while (succeeded(parser.parseOptionalComma()));
  if (!attributes.get("num_warmup_runs")) {
    attributes.set("num_warmup_runs", builder.getI32IntegerAttr(1));
  }
  return success();
}

void printTypedOperands(OpAsmPrinter& p, mlir::ValueRange operands) {
  p << '(';
  llvm::interleaveComma(operands, p, [&](mlir::Value v) { p << v << " : " << v.getType(); });
  p << ')';
}

void printNumbers(OpAsmPrinter& p, mlir::Operation* op, llvm::StringRef except) {
  bool first = true;
  for (mlir::NamedAttribute attribute : op->getAttrs()) {
    if (attribute.getName() == except) continue;
    p << (first ? " " : ", ") << attribute.getName().getValue() << " = ";
    first = false;
    if (auto number = mlir::dyn_cast<mlir::IntegerAttr>(attribute.getValue())) {
      llvm::SmallString<16> text;
      number.getValue().toStringUnsigned(text);
      p << text;
    } else {
      p << attribute.getValue();
    }
  }
}

}  // namespace

ParseResult BenchmarkOp::parse(OpAsmParser& parser, OperationState& result) {
  UnresolvedOperands operands;
  llvm::SmallVector<Type, 4> types;
  mlir::StringAttr name;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseAttribute(name, "name", result.attributes) ||
      parseTypedOperands(parser, operands, types) || parseNumbers(parser, result.attributes) ||
      parser.resolveOperands(operands, types, loc, result.operands)) {
    return failure();
  }
  result.addTypes(ChainType::get(parser.getContext()));
  return parseRegionWithOperandNames(parser, result.addRegion(), operands, types);
}

void BenchmarkOp::print(OpAsmPrinter& p) {
  p << ' ' << getNameAttr();
  printTypedOperands(p, getOperands());
  printNumbers(p, *this, "name");
  p << "  ";
  printRegionWithOperandNames(p, getRegion(), getOperands());
}

LogicalResult BenchmarkOp::verify() {
  mlir::Block& block = getRegion().front();
  auto last = block.empty() ? ReturnOp() : mlir::dyn_cast<ReturnOp>(block.back());
  if (!last) return emitOpError("missing return statement");
  if (last->getNumOperands() != 1) {
    return emitOpError("incorrect number of return values. One return value is expected");
  }
  return success();
}

ParseResult SyncBenchmarkOp::parse(OpAsmParser& parser, OperationState& result) {
  UnresolvedOperands operands;
  llvm::SmallVector<Type, 4> types;
  mlir::FlatSymbolRefAttr target;
  llvm::SMLoc loc = parser.getCurrentLocation();
  return ParseResult(failure(parser.parseAttribute(target, "target_fn", result.attributes) ||
                             parseTypedOperands(parser, operands, types) ||
                             parseNumbers(parser, result.attributes) ||
                             parser.resolveOperands(operands, types, loc, result.operands)));
}

void SyncBenchmarkOp::print(OpAsmPrinter& p) {
  p << ' ' << getTargetFnAttr();
  printTypedOperands(p, getOperands());
  printNumbers(p, *this, "target_fn");
}

LogicalResult SyncBenchmarkOp::verify() {
  auto function =
      llvm::cast_or_null<mlir::func::FuncOp>(lookUpFunction(*this, "target_fn", "target_fn"));
  if (!function) return failure();
  mlir::FunctionType type = function.getFunctionType();
  if (type.getNumInputs() != getNumOperands()) {
    return emitOpError("incorrect number of operands for callee");
  }
  if (mlir::TypeRange(type.getInputs()) != getOperandTypes()) {
    return emitOpError("operand type mismatch");
  }
  if (type.getNumResults() != 0) {
    return emitOpError("Target benchmark function must return zero value.");
  }
  return success();
}

// --- tfrt_test.test_cost ---

LogicalResult TestCostOp::verify() {
  auto cost = (*this)->getAttrOfType<mlir::IntegerAttr>("_tfrt_cost");
  if (!cost) return emitOpError("cost attribute not found");
  if (cost.getInt() <= 0) return emitOpError("cost value must be larger than 0");
  return success();
}

}  // namespace tfrt::compiler
