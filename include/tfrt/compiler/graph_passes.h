// The passes that simplify programs of the graph dialect, and the pipeline of them.
#ifndef TFRT_COMPILER_GRAPH_PASSES_H_
#define TFRT_COMPILER_GRAPH_PASSES_H_

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
}  // namespace mlir

namespace tfrt::compiler {

struct GraphPassOptions {
  // Leaves out what rounds otherwise than the program as it is written: folding of normalisations
  // into filters, merged scales, other spellings of normalisations, attention in one op.
  bool exact = false;
  // Ops become one kernel where one computes them. Without it each op stays a kernel of its own,
  // but for those that are not needed.
  bool fuse = true;
  // Of compileGraph: constant filters and matrices are packed, when a model is loaded, for the
  // kernels that read them.
  bool pack = true;
};

// Adds, for a manager of passes on modules, those on the graph dialect in their order: shapes,
// canonical forms, dead code, what loops compute again and again, fusion, layout, and chains of
// element-wise ops. Lowering comes behind them.
void addGraphPasses(mlir::OpPassManager& manager, const GraphPassOptions& options);

// Makes of a module with a graph @main what a model file holds (docs/graph.md): those passes,
// --graph-pack, and lowering. Errors are diagnostics.
mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options);

// Called with the module behind a pass of this name, as --graph-shapes; a failure ends all.
using AfterPass =
    llvm::function_ref<mlir::LogicalResult(llvm::StringRef pass, mlir::ModuleOp module)>;
// compileGraph with a look at what each pass has made, but for the lowering, which comes last.
mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options,
                                 AfterPass after);

// Registers, once, --graph-shapes, --graph-canonicalize, --graph-dead-code,
// --graph-hoist-invariants, --graph-cse, --graph-fuse, --graph-layout, --graph-tape, and all in
// order as --graph-pipeline, and --lower-graph; the option numerics=exact of those that have it is
// GraphPassOptions::exact. Each says in a remark, if its option `remarks` is set, how much it did.
// Part of registerTfrtPasses. Thread-safe.
void registerGraphPasses();

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_GRAPH_PASSES_H_
