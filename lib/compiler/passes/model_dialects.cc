#include "dialects/graph/graph_dialect.h"
#include "dialects/tfrt/tfrt_dialect.h"
#include "lib/compiler/translation/dialects.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tfrt::compiler {

void registerModelDialects(mlir::DialectRegistry& registry) {
  registry.insert<graph::GraphDialect, TfrtDialect, mlir::func::FuncDialect>();
}

}  // namespace tfrt::compiler
