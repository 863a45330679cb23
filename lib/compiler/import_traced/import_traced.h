// Converts a traced graph to an op graph.
#ifndef TFRT_LIB_COMPILER_IMPORT_TRACED_IMPORT_TRACED_H_
#define TFRT_LIB_COMPILER_IMPORT_TRACED_IMPORT_TRACED_H_

#include "lib/format/traced_graph/traced_graph.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tfrt::compiler {

// Returns the graph, which is verified first, as a function @main of the graph dialect, with the
// names of its arguments and results. Calls are replaced by the bodies of their callees. Variables
// are arguments and results (lib/format/traced_graph/flatten.h). Effects are ordered by a token.
//
// Returns null after an error, which is a diagnostic at the place where the op was called. Elements
// of large constants are not copied: `graph` must live as long as the module. Needs the dialects of
// registerModelDialects.
mlir::OwningOpRef<mlir::ModuleOp> importTraced(const function::TracedGraph& graph,
                                               mlir::MLIRContext* context);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_IMPORT_TRACED_IMPORT_TRACED_H_
