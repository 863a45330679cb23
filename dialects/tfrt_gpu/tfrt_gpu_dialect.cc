#include "dialects/tfrt_gpu/tfrt_gpu_dialect.h"

#include "dialects/kernel_ops.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

#include "dialects/tfrt_gpu/tfrt_gpu_ops_dialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/tfrt_gpu/tfrt_gpu_ops_types.cpp.inc"

namespace tfrt::compiler::gpu {

void TfrtGpuDialect::initialize() {
  // Kernels without an op definition are used in generic form; types without one are opaque.
  allowUnknownTypes();
  allowUnknownOperations();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/tfrt_gpu/tfrt_gpu_ops_types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/tfrt_gpu/tfrt_gpu_ops.cpp.inc"
      >();
#include "dialects/tfrt_gpu/tfrt_gpu_ops_kernels.inc"
}

mlir::Type TfrtGpuDialect::parseType(mlir::DialectAsmParser& parser) const {
  llvm::StringRef mnemonic;
  mlir::Type type;
  mlir::OptionalParseResult known = generatedTypeParser(parser, &mnemonic, type);
  if (known.has_value()) return type;
  return mlir::OpaqueType::get(mlir::StringAttr::get(getContext(), getNamespace()),
                               parser.getFullSymbolSpec());
}

void TfrtGpuDialect::printType(mlir::Type type, mlir::DialectAsmPrinter& printer) const {
  (void)generatedTypePrinter(type, printer);  // opaque types are printed by the framework
}

}  // namespace tfrt::compiler::gpu
