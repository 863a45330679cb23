#include <string>
#include <utility>

#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "register_passes.h"

namespace tfrt::compiler {

mlir::LogicalResult runPassPipeline(mlir::ModuleOp module, llvm::StringRef pipeline) {
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
