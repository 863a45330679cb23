// tfrt_lsp_server: the MLIR language server with tfrt's dialects, for editors.

#include "lib/compiler/translation/dialects.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  tfrt::compiler::registerAllTfrtDialects(registry);
  return mlir::failed(mlir::MlirLspServerMain(argc, argv, registry)) ? 1 : 0;
}
