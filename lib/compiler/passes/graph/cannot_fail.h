// Which ops may run where the program may not have run them.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_CANNOT_FAIL_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_CANNOT_FAIL_H_

#include "mlir/IR/Operation.h"

namespace tfrt::compiler::graph {

// An op on numbers of known sizes, of which the verifier has seen that they fit, and whose work
// does not depend on what the numbers are.
bool cannotFail(mlir::Operation* op);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_CANNOT_FAIL_H_
