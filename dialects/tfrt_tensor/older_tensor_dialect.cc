#include "dialects/tfrt_tensor/older_tensor_dialect.h"

#include "dialects/tfrt_tensor/tfrt_tensor_dialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"

MLIR_DEFINE_EXPLICIT_TYPE_ID(tfrt::compiler::OlderTensorDialect)

namespace tfrt::compiler {
namespace {

// Fails with the framework's message where unregistered dialects are not allowed.
mlir::LogicalResult checkUnregistered(mlir::DialectAsmParser& parser, llvm::StringRef sigil,
                                      llvm::StringRef noun) {
  if (parser.getContext()->allowsUnregisteredDialects()) return mlir::success();
  return parser.emitError(parser.getNameLoc())
         << "`" << sigil << "\"t\"<\"" << parser.getFullSymbolSpec() << "\">` " << noun
         << " created with unregistered dialect. If this is intended, please call "
            "allowUnregisteredDialects() on the MLIRContext, or use -allow-unregistered-dialect "
            "with "
            "the MLIR opt tool used";
}

}  // namespace

OlderTensorDialect::OlderTensorDialect(mlir::MLIRContext* context)
    : Dialect(getDialectNamespace(), context, mlir::TypeID::get<OlderTensorDialect>()) {
  context->getOrLoadDialect<TfrtTensorDialect>();
  allowUnknownTypes();
  allowUnknownOperations(context->allowsUnregisteredDialects());
}

mlir::Type OlderTensorDialect::parseType(mlir::DialectAsmParser& parser) const {
  if (parser.getFullSymbolSpec() == "tensor") return HostTensorType::get(getContext());
  if (mlir::failed(checkUnregistered(parser, "!", "type"))) return {};
  return mlir::OpaqueType::get(mlir::StringAttr::get(getContext(), getNamespace()),
                               parser.getFullSymbolSpec());
}

mlir::Attribute OlderTensorDialect::parseAttribute(mlir::DialectAsmParser& parser,
                                                   mlir::Type type) const {
  if (mlir::failed(checkUnregistered(parser, "#", "attribute"))) return {};
  return mlir::OpaqueAttr::get(mlir::StringAttr::get(getContext(), getNamespace()),
                               parser.getFullSymbolSpec(),
                               type ? type : mlir::NoneType::get(getContext()));
}

}  // namespace tfrt::compiler
