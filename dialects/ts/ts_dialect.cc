#include "dialects/ts/ts_dialect.h"

#include "dialects/kernel_ops.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/ts/ts_ops_dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ts/ts_ops_types.cpp.inc"

namespace tfrt::compiler::ts {

bool isFixedRankShape(mlir::Type type, unsigned rank) {
  auto shape = mlir::dyn_cast<FixedRankShapeType>(type);
  return shape && shape.getRank() == rank;
}

void TsDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/ts/ts_ops_types.cpp.inc"
      >();
#include "dialects/ts/ts_ops_kernels.inc"
}

mlir::Type TsDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef mnemonic;
  mlir::Type type;
  mlir::OptionalParseResult known = generatedTypeParser(parser, &mnemonic, type);
  if (known.has_value()) return type;
  parser.emitError(loc, "unknown shape type: ") << mnemonic;
  return {};
}

void TsDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  if (auto shape = mlir::dyn_cast<FixedRankShapeType>(type)) {
    printer << "fixed_rank_shape." << shape.getRank();
    return;
  }
  (void)generatedTypePrinter(type, printer);
}

}  // namespace tfrt::compiler::ts
