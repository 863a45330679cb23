// Converts MLIR attributes to the plain data of the BEF encoder, and back.
#ifndef TFRT_LIB_COMPILER_CONVERSION_ATTRIBUTE_CONVERSION_H_
#define TFRT_LIB_COMPILER_CONVERSION_ATTRIBUTE_CONVERSION_H_

#include <optional>

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"
#include "tfrt/bef/attribute_encoder.h"

namespace tfrt::compiler {

// Returns nullopt if the attribute cannot be encoded (docs/reference/bef_format.md lists those
// that can). The converter handles references into compiled modules; this function does not.
std::optional<bef::AttributeValue> toBefAttribute(mlir::Attribute attribute);

// Returns the element code of a type; kUnsupported if it has none.
bef::TypeCode toTypeCode(mlir::Type type);
// Returns the type of an element code; null if neither MLIR nor a loaded dialect has one.
mlir::Type fromTypeCode(bef::TypeCode code, mlir::MLIRContext* context);

// Returns the shape attribute of an encoded shape (-1: unknown dimension); null if no loaded
// dialect has shapes.
mlir::Attribute decodeShapeAttribute(bool ranked, llvm::ArrayRef<int64_t> dims,
                                     mlir::MLIRContext* context);

}  // namespace tfrt::compiler

#endif  // TFRT_LIB_COMPILER_CONVERSION_ATTRIBUTE_CONVERSION_H_
