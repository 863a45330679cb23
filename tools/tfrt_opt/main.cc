// tfrt_opt: the MLIR optimizer driver with tfrt's dialects and passes.

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tfrt/compiler/dialects.h"
#include "tfrt/compiler/passes.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  tfrt::compiler::registerAllTfrtDialects(registry);
  tfrt::compiler::registerTfrtPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "TFRT pass driver\n", registry));
}
