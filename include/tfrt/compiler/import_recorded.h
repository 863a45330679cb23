// Recorded graph -> op graph.
#ifndef TFRT_COMPILER_IMPORT_RECORDED_H_
#define TFRT_COMPILER_IMPORT_RECORDED_H_

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tfrt/recorded_graph/recorded_graph.h"

namespace tfrt::compiler {

// The graph, which is verified first, as a function @main of the graph dialect, with the names of
// its arguments and results; calls are in place of what they call, variables are arguments and
// results (tfrt/recorded_graph/flatten.h), effects are ordered by a token. Null after an error,
// which is a diagnostic at the place where the op was called. Elements of large constants stay
// where they are: `graph` must live as long as the module. Needs the dialects of
// registerModelDialects.
mlir::OwningOpRef<mlir::ModuleOp> importRecorded(const function::RecordedGraph& graph,
                                                 mlir::MLIRContext* context);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_IMPORT_RECORDED_H_
