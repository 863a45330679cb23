// Helpers that ops with regions share: regions whose entry arguments are named like operands, and
// checks of the regions' return.
#ifndef TFRT_DIALECTS_REGION_OPS_H_
#define TFRT_DIALECTS_REGION_OPS_H_

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/Operation.h"

namespace tfrt::compiler {

using UnresolvedOperands = llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4>;

// Parses a region with one entry argument per operand, of the given types, whose names are those of
// the operands (shadowing the outer values).
mlir::ParseResult parseRegionWithOperandNames(
    mlir::OpAsmParser& parser, mlir::Region* region,
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
    llvm::ArrayRef<mlir::Type> types);

// Prints a region without its entry arguments, which get the names of the operands.
void printRegionWithOperandNames(mlir::OpAsmPrinter& printer, mlir::Region& region,
                                 mlir::ValueRange operands);

// "(t, t) -> (t)": parentheses around both lists, always.
void printFunctionalType(mlir::OpAsmPrinter& printer, mlir::TypeRange inputs,
                         mlir::TypeRange results);

// Checks that the region ends in a tfrt.return whose operands have the op's result types. A missing
// return is reported at the op, a wrong one at the return.
mlir::LogicalResult verifyReturnMatchesResults(mlir::Operation* op, mlir::Region& region);

// The function that a flat symbol attribute names, with the two errors that are possible.
// Returns null after an error.
mlir::Operation* lookUpFunction(mlir::Operation* op, llvm::StringRef attribute,
                                llvm::StringRef attribute_in_message);

}  // namespace tfrt::compiler

#endif  // TFRT_DIALECTS_REGION_OPS_H_
