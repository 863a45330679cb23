// One function per pass, for registerTfrtPasses.
#ifndef TFRT_LIB_COMPILER_PASSES_PASSES_H_
#define TFRT_LIB_COMPILER_PASSES_PASSES_H_

#include <memory>

namespace mlir {
class Pass;
}  // namespace mlir

namespace tfrt::compiler {

std::unique_ptr<mlir::Pass> createLowerGraphPass();

void registerPlanMemoryPass();
void registerPrintStreamPass();

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_PASSES_PASSES_H_
