// The builtin element types, and the element types and shapes of tensors that dialects add to them.
// The converter finds those through interfaces, so that a dialect may add some without changing it.
#ifndef TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE_H_
#define TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE_H_

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "mlir/IR/Attributes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Types.h"
#include "tfrt/opinfo/element_type.h"

// ElementTypeInterface, of a type that is an element type.
#include "dialects/element_type_interface.h.inc"

namespace tfrt::compiler {

// Builtin element types; kUnsupported, or null, for those that the other side does not have.
DType dtypeOf(mlir::Type element);
mlir::Type elementType(DType dtype, mlir::MLIRContext* context);

// A shape as far as it is known: an unknown dimension is -1, a shape of unknown rank has none.
struct KnownShape {
  bool ranked;
  llvm::ArrayRef<int64_t> dims;
};

// The interface of a dialect that has element types, or attributes for shapes. Thread-safe.
class TensorDialectInterface : public mlir::DialectInterface::Base<TensorDialectInterface> {
 public:
  explicit TensorDialectInterface(mlir::Dialect* dialect) : Base(dialect) {}

  // Null if the dialect has no type for it.
  virtual mlir::Type getElementType(DType dtype) const = 0;
  virtual mlir::Attribute getShape(KnownShape shape) const = 0;
  // Empty if the attribute, one of the dialect's, is no shape.
  virtual std::optional<KnownShape> readShape(mlir::Attribute attribute) const = 0;
};

}  // namespace tfrt::compiler

#endif  // TFRT_DIALECTS_ELEMENT_TYPE_INTERFACE_H_
