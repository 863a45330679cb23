// One function per pass, for registerTfrtPasses.
#ifndef TFRT_COMPILER_PASSES_PASSES_H_
#define TFRT_COMPILER_PASSES_PASSES_H_

namespace tfrt::compiler {

void registerLowerGraphPass();
void registerPlanMemoryPass();
void registerPrintStreamPass();

}  // namespace tfrt::compiler

#endif  // TFRT_COMPILER_PASSES_PASSES_H_
