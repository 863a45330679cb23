#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes.h"
#include "tfrt/compiler/graph_passes.h"
#include "tfrt/compiler/passes.h"

namespace tfrt::compiler {

void registerTfrtPasses() {
  [[maybe_unused]] static const bool registered = [] {
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
