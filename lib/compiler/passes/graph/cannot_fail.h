// Finds ops that may run where the program may not have run them.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_CANNOT_FAIL_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_CANNOT_FAIL_H_

#include "mlir/IR/Operation.h"

namespace tfrt::compiler::graph {

// True for an op on numbers of known sizes that the verifier has found to fit. The work of the op
// must not depend on the values of the numbers.
bool cannotFail(mlir::Operation* op);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_CANNOT_FAIL_H_
