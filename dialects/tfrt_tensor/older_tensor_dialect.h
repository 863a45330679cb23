// The dialect `t` of earlier releases, of which one name is left: the type `!t.tensor`, now
// `!tfrt_tensor.tensor`.
#ifndef TFRT_DIALECTS_TFRT_TENSOR_OLDER_TENSOR_DIALECT_H_
#define TFRT_DIALECTS_TFRT_TENSOR_OLDER_TENSOR_DIALECT_H_

#include "mlir/IR/Dialect.h"
#include "mlir/IR/Types.h"

namespace tfrt::compiler {

// Reads `!t.tensor` as `!tfrt_tensor.tensor`. Everything else of the name `t` is treated as without
// this dialect. It is allowed and opaque where the context allows unregistered dialects, and an
// error elsewhere. Set that in the context before the dialect is loaded.
class OlderTensorDialect : public mlir::Dialect {
 public:
  explicit OlderTensorDialect(mlir::MLIRContext* context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return "t"; }

  mlir::Type parseType(mlir::DialectAsmParser& parser) const override;
  mlir::Attribute parseAttribute(mlir::DialectAsmParser& parser, mlir::Type type) const override;
};

}  // namespace tfrt::compiler

MLIR_DECLARE_EXPLICIT_TYPE_ID(tfrt::compiler::OlderTensorDialect)

#endif  // TFRT_DIALECTS_TFRT_TENSOR_OLDER_TENSOR_DIALECT_H_
