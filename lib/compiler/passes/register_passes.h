// The passes of tfrt's compiler, and their pipelines.
#ifndef TFRT_LIB_COMPILER_PASSES_REGISTER_PASSES_H_
#define TFRT_LIB_COMPILER_PASSES_REGISTER_PASSES_H_

#include "llvm/ADT/StringRef.h"
#include "mlir/Support/LLVM.h"

namespace mlir {
class ModuleOp;
}  // namespace mlir

namespace tfrt::compiler {

// Registers, once, all passes that pipelines may name. Thread-safe.
//
// Remarks of -tfrt-print-stream show the streams of each function. Kernels of graph ops are made by
// -lower-graph (docs/compiler.md). Tensors of known shape share one buffer per function after
// -tfrt-plan-memory (plan_memory.h). Its remarks report the gain unless its option `quiet` is set.
// The others are those of graph_passes.h and MLIR's passes -canonicalize, -cse, -inline and
// -symbol-dce.
void registerTfrtPasses();

// Plans memory without remarks.
inline constexpr llvm::StringLiteral kPlanMemoryPipeline =
    "builtin.module(func.func(tfrt-plan-memory{quiet=true}))";

// Runs a pipeline of registered passes on the module:
// "builtin.module(inline,func.func(tfrt-plan-memory))". The module is verified after each pass. If
// the pipeline cannot be parsed, a diagnostic at the module reports the fault.
mlir::LogicalResult runPassPipeline(mlir::ModuleOp module, llvm::StringRef pipeline);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_PASSES_REGISTER_PASSES_H_
