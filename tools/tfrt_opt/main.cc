// tfrt_opt: the MLIR optimizer driver with tfrt's dialects and passes.

#include <string>

#include "lib/compiler/passes/register_passes.h"
#include "lib/compiler/translation/child_process.h"
#include "lib/compiler/translation/dialects.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char** argv) {
  mlir::DialectRegistry registry;
  tfrt::compiler::registerAllTfrtDialects(registry);
  tfrt::compiler::registerTfrtPasses();
  const auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "TFRT pass driver\n", registry);
  return tfrt::compiler::runInChild("tfrt_opt", output, [&](const std::string& file) {
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, file, registry));
  });
}
