// Launches of constant sizes: what a program writes as seven operands becomes attributes.
#ifndef TFRT_LIB_COMPILER_PASSES_FOLD_LAUNCHES_H_
#define TFRT_LIB_COMPILER_PASSES_FOLD_LAUNCHES_H_

namespace mlir {
class ModuleOp;
}  // namespace mlir

namespace tfrt::compiler {

// Makes each tfrt_gpu.function.launch whose sizes are constants of at most 32 bits a
// tfrt_gpu.function.launch.static, which has them as attributes. Removes the constants that nothing
// else uses. A launch with attributes of its own stays as it is.
void foldLaunches(mlir::ModuleOp module);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_PASSES_FOLD_LAUNCHES_H_
