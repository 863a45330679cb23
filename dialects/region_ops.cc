#include "dialects/region_ops.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace tfrt::compiler {

mlir::ParseResult parseRegionWithOperandNames(
    mlir::OpAsmParser& parser, mlir::Region* region,
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
    llvm::ArrayRef<mlir::Type> types) {
  llvm::SmallVector<mlir::OpAsmParser::Argument, 4> arguments;
  for (auto [operand, type] : llvm::zip(operands, types)) {
    mlir::OpAsmParser::Argument argument;
    argument.ssaName = operand;
    argument.type = type;
    arguments.push_back(argument);
  }
  return parser.parseRegion(*region, arguments, /*enableNameShadowing=*/true);
}

void printRegionWithOperandNames(mlir::OpAsmPrinter& printer, mlir::Region& region,
                                 mlir::ValueRange operands) {
  // A region that did not verify may have another number of arguments; it is printed as it is.
  if (!region.empty() && region.getNumArguments() == operands.size()) {
    printer.shadowRegionArgs(region, operands);
  }
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

void printFunctionalType(mlir::OpAsmPrinter& printer, mlir::TypeRange inputs,
                         mlir::TypeRange results) {
  printer << '(';
  llvm::interleaveComma(inputs, printer);
  printer << ") -> (";
  llvm::interleaveComma(results, printer);
  printer << ')';
}

mlir::LogicalResult verifyReturnMatchesResults(mlir::Operation* op, mlir::Region& region) {
  mlir::Operation* last = region.front().empty() ? nullptr : &region.front().back();
  if (!last || last->getName().getStringRef() != "tfrt.return") {
    return op->emitOpError("expected tfrt.return in body");
  }
  if (last->getOperandTypes() != op->getResultTypes()) {
    return last->emitOpError() << "operand types don't match '" << op->getName().getStringRef()
                               << "' result";
  }
  return mlir::success();
}

mlir::Operation* lookUpFunction(mlir::Operation* op, llvm::StringRef attribute,
                                llvm::StringRef attribute_in_message) {
  auto symbol = op->getAttrOfType<mlir::FlatSymbolRefAttr>(attribute);
  if (!symbol) {
    op->emitOpError() << "requires a '" << attribute_in_message << "' symbol reference attribute";
    return nullptr;
  }
  auto function =
      mlir::SymbolTable::lookupNearestSymbolFrom<mlir::func::FuncOp>(op->getParentOp(), symbol);
  if (!function) {
    op->emitOpError() << "'" << symbol.getValue() << "' does not reference a valid function";
    return nullptr;
  }
  return function;
}

}  // namespace tfrt::compiler
