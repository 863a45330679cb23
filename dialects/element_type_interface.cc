#include "dialects/element_type_interface.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include "dialects/element_type_interface.cpp.inc"

namespace tfrt::compiler {

DType dtypeOf(mlir::Type element) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(element)) {
    const bool is_unsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
      case 1:
        return is_unsigned ? DType::kUnsupported : DType::kI1;
      case 8:
        return is_unsigned ? DType::kUI8 : DType::kI8;
      case 16:
        return is_unsigned ? DType::kUI16 : DType::kI16;
      case 32:
        return is_unsigned ? DType::kUI32 : DType::kI32;
      case 64:
        return is_unsigned ? DType::kUI64 : DType::kI64;
      default:
        return DType::kUnsupported;
    }
  }
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element)) {
    if (complex.getElementType().isF32()) return DType::kComplex64;
    if (complex.getElementType().isF64()) return DType::kComplex128;
    return DType::kUnsupported;
  }
  if (element.isF32()) return DType::kF32;
  if (element.isF64()) return DType::kF64;
  if (element.isF16()) return DType::kF16;
  if (element.isBF16()) return DType::kBF16;
  return DType::kUnsupported;
}

mlir::Type elementType(DType dtype, mlir::MLIRContext* context) {
  mlir::Builder builder(context);
  switch (dtype) {
    case DType::kI1:
      return builder.getI1Type();
    case DType::kI8:
    case DType::kI16:
    case DType::kI32:
    case DType::kI64:
      return builder.getIntegerType(static_cast<unsigned>(8 * DTypeSize(dtype)));
    case DType::kUI8:
    case DType::kUI16:
    case DType::kUI32:
    case DType::kUI64:
      return builder.getIntegerType(static_cast<unsigned>(8 * DTypeSize(dtype)), false);
    case DType::kF16:
      return builder.getF16Type();
    case DType::kBF16:
      return builder.getBF16Type();
    case DType::kF32:
      return builder.getF32Type();
    case DType::kF64:
      return builder.getF64Type();
    case DType::kComplex64:
      return mlir::ComplexType::get(builder.getF32Type());
    case DType::kComplex128:
      return mlir::ComplexType::get(builder.getF64Type());
    default:
      return {};
  }
}

}  // namespace tfrt::compiler
