#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"

#include "dialects/tfrt_tensor/tfrt_tensor_dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tfrt_tensor/tfrt_tensor_types.cpp.inc"

namespace tfrt::compiler {

void TfrtTensorDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tfrt_tensor/tfrt_tensor_types.cpp.inc"
      >();
}

mlir::Type TfrtTensorDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::SMLoc loc = parser.getCurrentLocation();
  llvm::StringRef mnemonic;
  mlir::Type type;
  mlir::OptionalParseResult known = generatedTypeParser(parser, &mnemonic, type);
  if (known.has_value()) return type;
  parser.emitError(loc, "unknown tensor type: ") << mnemonic;
  return {};
}

void TfrtTensorDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  (void)generatedTypePrinter(type, printer);
}

}  // namespace tfrt::compiler
