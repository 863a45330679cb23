#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "passes.h"
#include "tfrt/compiler/graph_passes.h"
#include "tfrt/compiler/passes.h"

namespace tfrt::compiler {

void registerTfrtPasses() {
  [[maybe_unused]] static const bool registered = [] {
    registerLowerGraphPass();
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

mlir::LogicalResult runPassPipeline(mlir::ModuleOp module, llvm::StringRef pipeline) {
  registerTfrtPasses();
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  auto passes = mlir::parsePassPipeline(pipeline, stream);
  if (mlir::succeeded(passes) && passes->getOpAnchorName() != mlir::ModuleOp::getOperationName()) {
    stream << "it is for '" << passes->getOpAnchorName() << "', but must be for 'builtin.module'";
    passes = mlir::failure();
  }
  if (mlir::failed(passes)) {
    return module.emitError("pass pipeline '")
           << pipeline << "': " << llvm::StringRef(errors).trim();
  }
  mlir::PassManager manager(module.getContext(), mlir::ModuleOp::getOperationName());
  static_cast<mlir::OpPassManager&>(manager) = std::move(*passes);
  return manager.run(module);
}

}  // namespace tfrt::compiler
