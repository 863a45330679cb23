// tfrt_translate: the MLIR translation driver with mlir-to-bef and bef-to-mlir.

#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "tfrt/compiler/translate.h"

int main(int argc, char** argv) {
  tfrt::compiler::registerTfrtTranslations();
  return mlir::failed(mlir::mlirTranslateMain(argc, argv, "TFRT translation driver"));
}
