// compile_floor FILE.mlir: parses the module and does nothing with it. What mlir_to_bef is compared
// with.
#include "llvm/Support/SourceMgr.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "tfrt/compiler/translate.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  tfrt::compiler::prepareContext(&context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  return module ? 0 : 1;
}
