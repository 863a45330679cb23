#include "dialects/ht/ht_dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"

#include "dialects/ht/ht_dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/ht/ht_types.cpp.inc"

namespace tfrt::compiler::ht {

void HtDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/ht/ht_types.cpp.inc"
      >();
}

mlir::Type HtDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef mnemonic;
  mlir::Type type;
  mlir::OptionalParseResult known = generatedTypeParser(parser, &mnemonic, type);
  if (known.has_value()) return type;
  parser.emitError(loc, "unknown type: ") << mnemonic;
  return {};
}

void HtDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  (void)generatedTypePrinter(type, printer);
}

}  // namespace tfrt::compiler::ht
