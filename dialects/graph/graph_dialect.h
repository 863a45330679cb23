// The graph dialect: the ops of structure, which are generated, and those of the op table.
#ifndef TFRT_DIALECTS_GRAPH_GRAPH_DIALECT_H_
#define TFRT_DIALECTS_GRAPH_GRAPH_DIALECT_H_

#include "dialects/graph/table_op_names.h"
#include "dialects/graph/table_ops.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/graph/graph_ops_dialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/graph/graph_ops_types.h.inc"

#define GET_OP_CLASSES
#include "dialects/graph/graph_ops.h.inc"

#endif  // TFRT_DIALECTS_GRAPH_GRAPH_DIALECT_H_
