#include "register_passes.h"
#include "lib/compiler/passes/graph/pipeline.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes.h"

namespace tfrt::compiler {

void registerTfrtPasses() {
  [[maybe_unused]] static const bool registered = [] {
    registerFoldLaunchesPass();
    registerPlanMemoryPass();
    registerPrintStreamPass();
    registerGraphPasses();
    mlir::registerCanonicalizerPass();
    mlir::registerCSEPass();
    mlir::registerInlinerPass();
    mlir::registerSymbolDCEPass();
    return true;
  }();
}

}  // namespace tfrt::compiler
