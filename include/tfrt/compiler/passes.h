// The passes of tfrt's compiler, and pipelines of them.
#ifndef TFRT_COMPILER_PASSES_H_
#define TFRT_COMPILER_PASSES_H_

#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
}  // namespace mlir

namespace tfrt::compiler {

// Registers, once, what pipelines may name: -tfrt-print-stream: remarks that show the streams of
// each function; -lower-graph: kernels of graph ops (docs/graph.md); -tfrt-plan-memory: tensors of
// known shape share one buffer per function (plan_memory.h), with remarks that say what was gained
// unless its option `quiet` is set; those of graph_passes.h; and of MLIR's passes -canonicalize,
// -cse, -inline and -symbol-dce. Thread-safe.
void registerTfrtPasses();

// Memory planning, silently.
inline constexpr llvm::StringLiteral kPlanMemoryPipeline =
    "builtin.module(func.func(tfrt-plan-memory{quiet=true}))";

// Runs a pipeline of registered passes on the module:
// "builtin.module(inline,func.func(tfrt-plan-memory))". The module is verified after each pass. A
// pipeline that cannot be parsed is a diagnostic at the module, with what is wrong in it.
mlir::LogicalResult runPassPipeline(mlir::ModuleOp module, llvm::StringRef pipeline);

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_PASSES_H_
