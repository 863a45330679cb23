// Whether an op is what its row of the op table allows.
#ifndef TFRT_DIALECTS_GRAPH_TABLE_OP_VERIFIER_H_
#define TFRT_DIALECTS_GRAPH_TABLE_OP_VERIFIER_H_

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "tfrt/opinfo/op_description.h"

namespace tfrt::compiler::graph {

// How many operands each argument of a row has. In the order of arguments; the token has none.
inline constexpr llvm::StringLiteral kSegmentSizes = "operandSegmentSizes";
// Whether ops of the row have that attribute: more than one argument is not just one operand.
bool hasSegments(const OpDescription& row);

// Whether an attribute of this name is the row's, or the segments.
bool isInherent(const OpDescription& row, llvm::StringRef name);

// Whether those attributes that belong to the row are of its kinds. `error` begins the diagnostic
// of the first that is not.
llvm::LogicalResult verifyKinds(const OpDescription& row, const mlir::NamedAttrList& attributes,
                                llvm::function_ref<mlir::InFlightDiagnostic()> error);

// The checks of an op, in their order. First its form: numbers of regions, results, successors,
// operands and segments.
llvm::LogicalResult verifyNumbers(mlir::Operation* op, const OpDescription& row);
// Whether attributes without a default are there.
llvm::LogicalResult verifyRequired(mlir::Operation* op, const OpDescription& row);
// Whether operands and results are tensors and tokens, and of the types that the row's shape
// function finds.
llvm::LogicalResult verifyTypes(mlir::Operation* op, const OpDescription& row);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_TABLE_OP_VERIFIER_H_
