// joinWeights: weights that are used only together become one.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_JOIN_WEIGHTS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_JOIN_WEIGHTS_H_

#include "mlir/IR/Operation.h"

namespace tfrt::compiler::graph {

// Replaces each concatenation of weights, which nothing else reads, by the weight that it makes.
// Programs that load the file need neither the time nor the memory. The file gets larger only if
// another function of the module reads the same weights.
void joinWeights(mlir::Operation* function);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_JOIN_WEIGHTS_H_
