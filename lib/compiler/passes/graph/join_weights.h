// joinWeights: weights that are used only together become one.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_JOIN_WEIGHTS_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_JOIN_WEIGHTS_H_

#include "mlir/IR/Operation.h"

namespace tfrt::compiler::graph {

// Replaces each concatenation of weights, which nothing else reads, by the weight that it makes.
// The file gets no larger, and programs that load it need neither the time nor the memory.
void joinWeights(mlir::Operation* function);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_JOIN_WEIGHTS_H_
