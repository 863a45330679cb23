// One function per pass, for registerTfrtPasses.
#ifndef TFRT_LIB_COMPILER_PASSES_PASSES_H_
#define TFRT_LIB_COMPILER_PASSES_PASSES_H_

namespace tfrt::compiler {

void registerFoldLaunchesPass();
void registerPlanMemoryPass();
void registerPrintStreamPass();

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_PASSES_PASSES_H_
