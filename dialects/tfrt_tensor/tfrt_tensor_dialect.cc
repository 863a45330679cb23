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
  llvm::StringRef keyword;
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&keyword)) return {};
  if (keyword == "tensor") return HostTensorType::get(getContext());
  parser.emitError(loc, "unknown tensor type: ") << keyword;
  return {};
}

void TfrtTensorDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  printer << "tensor";
}

}  // namespace tfrt::compiler
