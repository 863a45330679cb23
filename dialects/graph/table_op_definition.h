// Definitions that MLIR needs for the ops that are rows of the op table.
#ifndef TFRT_DIALECTS_GRAPH_TABLE_OP_DEFINITION_H_
#define TFRT_DIALECTS_GRAPH_TABLE_OP_DEFINITION_H_

#include "mlir/IR/Dialect.h"

namespace tfrt::compiler::graph {

// Registers an op for each row but `constant`. Called once, while the dialect is being loaded.
void registerTableOps(mlir::Dialect& dialect);

}  // namespace tfrt::compiler::graph

#endif  // TFRT_DIALECTS_GRAPH_TABLE_OP_DEFINITION_H_
