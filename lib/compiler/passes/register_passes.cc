#include "passes.h"
#include "tfrt/compiler/passes.h"

namespace tfrt::compiler {

void registerTfrtPasses() {
  registerPlanMemoryPass();
  registerPrintStreamPass();
}

}  // namespace tfrt::compiler
