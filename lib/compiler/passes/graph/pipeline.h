// The passes that simplify programs of the graph dialect, and their pipeline.
#ifndef TFRT_LIB_COMPILER_PASSES_GRAPH_PIPELINE_H_
#define TFRT_LIB_COMPILER_PASSES_GRAPH_PIPELINE_H_

#include <string>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
class OpPassManager;
}  // namespace mlir

namespace tfrt::compiler {

struct GraphPassOptions {
  // Leaves out passes that change the rounding of the program as written. These are folding of
  // normalisations into filters, merged scales, other forms of normalisations, and attention in one
  // op.
  bool exact = false;
  // Several ops become one kernel where such a kernel exists. If false, each op remains a separate
  // kernel, except those that are not needed.
  bool fuse = true;
  // Computes f16 and bf16 in f32, and rounds only the results of the program. Has no effect
  // together with `exact`.
  bool widen = false;
  // For compileGraph: constant filters and matrices are packed, when a model is loaded, for the
  // kernels that read them.
  bool pack = true;
  // Computes products with constant matrices in 8 bits, without the nodes of `keep_f32`. Remarks
  // report what was done, and what stays in f32.
  bool quantize = false;
  std::vector<std::string> keep_f32 = {};
  // "bf16" or "f16": the dtype of constant matrices and filters, without those of `keep_f32`;
  // empty: as they come. Remarks as those of `quantize`.
  std::string weights = {};
};

// Adds the passes on the graph dialect in their order to a manager of passes on modules. The order
// is shapes, wider numbers, canonical forms, dead code, loop invariants, fusion, layout, and chains
// of element-wise ops. Lowering must follow.
void addGraphPasses(mlir::OpPassManager& manager, const GraphPassOptions& options);

// Called with the module after a pass of this name, as --graph-shapes. A failure ends all.
using AfterPass =
    llvm::function_ref<mlir::LogicalResult(llvm::StringRef pass, mlir::ModuleOp module)>;
// Converts a module with a graph @main to the contents of a model file (docs/compiler.md): those
// passes, --graph-pack, and lowering. Calls `after`, unless it is null, with the result of each
// pass, except for the lowering, which comes last. Errors are diagnostics.
mlir::LogicalResult compileGraph(mlir::ModuleOp module, const GraphPassOptions& options,
                                 AfterPass after = {});

// Registers, once, --graph-shapes, --graph-widen, --graph-canonicalize, --graph-dead-code,
// --graph-hoist-invariants, --graph-cse, --graph-fuse, --graph-quantize, --graph-narrow,
// --graph-layout, --graph-tape and --graph-pack. Also registers --graph-pipeline, which runs those
// of addGraphPasses without options, in order, and --lower-graph. The option numerics=exact, where
// a pass has it, is GraphPassOptions::exact. If its option `remarks` is set, each pass reports in a
// remark how much it did. Part of registerTfrtPasses. Thread-safe.
void registerGraphPasses();

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_PASSES_GRAPH_PIPELINE_H_
