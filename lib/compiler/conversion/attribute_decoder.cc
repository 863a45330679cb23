#include "attribute_decoder.h"

#include <cstring>

#include "attribute_conversion.h"
#include "llvm/ADT/StringExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::compiler {

using bef::TypeCode;
using mlir::Attribute;

StatusOr<Attribute> AttributeDecoder::Decode(uint32_t offset, TypeCode code) {
  Attribute& cached = decoded_[{offset, code}];
  if (cached) return cached;
  // Bounds the nesting of aggregates before they are decoded.
  TFRT_ASSIGN_OR_RETURN(uint32_t end, bef::VerifyAttribute(bytes_, offset, code));
  (void)end;
  TFRT_ASSIGN_OR_RETURN(cached, DecodeNew(offset, code));
  return cached;
}

StatusOr<Attribute> AttributeDecoder::DecodeNew(uint32_t offset, TypeCode code) {
  if (bef::IsScalarCode(code)) {
    TFRT_ASSIGN_OR_RETURN(uint64_t bits, bef::ReadScalar(bytes_, offset, code));
    return Scalar(code, bits);
  }
  if (bef::IsArrayCode(code)) return DecodeArray(offset, code);
  switch (code) {
    case TypeCode::kString: {
      TFRT_ASSIGN_OR_RETURN(std::string_view text, bef::ReadString(bytes_, offset));
      return Attribute(mlir::StringAttr::get(context_, llvm::StringRef(text)));
    }
    case TypeCode::kType: {
      TFRT_ASSIGN_OR_RETURN(TypeCode named, bef::ReadType(bytes_, offset));
      return TypeNamed(named);
    }
    case TypeCode::kShape:
      return DecodeShape(offset);
    case TypeCode::kDense:
      return DecodeDense(offset);
    case TypeCode::kAggregate:
      return DecodeAggregate(offset);
    case TypeCode::kSymbolRef:
      return DecodeSymbolRef(offset);
    default:
      return InvalidArgumentError(StrCat("attribute at offset ", offset, " has unknown type code ",
                                         int{static_cast<uint8_t>(code)}));
  }
}

StatusOr<Attribute> AttributeDecoder::TypeNamed(TypeCode code) {
  mlir::Type type = fromTypeCode(code, context_);
  if (type) return Attribute(mlir::TypeAttr::get(type));
  return InvalidArgumentError(StrCat("no type has code ", int{static_cast<uint8_t>(code)}));
}

StatusOr<Attribute> AttributeDecoder::Scalar(TypeCode code, uint64_t bits) {
  mlir::Type type = fromTypeCode(code, context_);
  if (!type) return InvalidArgumentError(StrCat("no type has code ", int(code)));
  llvm::APInt value(type.getIntOrFloatBitWidth(), bits, /*isSigned=*/false,
                    /*implicitTrunc=*/true);
  if (auto floating = mlir::dyn_cast<mlir::FloatType>(type)) {
    return Attribute(
        mlir::FloatAttr::get(floating, llvm::APFloat(floating.getFloatSemantics(), value)));
  }
  return Attribute(mlir::IntegerAttr::get(type, value));
}

StatusOr<Attribute> AttributeDecoder::DecodeShape(uint32_t offset) {
  TFRT_ASSIGN_OR_RETURN(bef::ShapeView shape, bef::ReadShape(bytes_, offset));
  Attribute attribute = decodeShapeAttribute(
      shape.ranked, llvm::ArrayRef(shape.dims.data(), shape.dims.size()), context_);
  if (attribute) return attribute;
  return FailedPreconditionError(
      StrCat("attribute at offset ", offset, " is a shape, but no loaded dialect has them"));
}

StatusOr<Attribute> AttributeDecoder::DecodeDense(uint32_t offset) {
  TFRT_ASSIGN_OR_RETURN(bef::DenseView dense, bef::ReadDense(bytes_, offset));
  mlir::Type element = fromTypeCode(dense.element, context_);
  if (!element || !mlir::RankedTensorType::isValidElementType(element) ||
      !(element.isIntOrFloat() || mlir::isa<mlir::ComplexType>(element))) {
    return InvalidArgumentError(StrCat("dense attribute at offset ", offset,
                                       " has elements of unknown type code ",
                                       int{static_cast<uint8_t>(dense.element)}));
  }
  auto type = mlir::RankedTensorType::get({dense.dims.data(), dense.dims.size()}, element);
  if (dense.num_elements == 0) {
    return Attribute(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<Attribute>()));
  }
  if (dense.element == TypeCode::kI1) {
    llvm::SmallVector<bool> values;
    for (uint8_t byte : dense.data) values.push_back(byte != 0);
    return Attribute(mlir::DenseElementsAttr::get(type, llvm::ArrayRef<bool>(values)));
  }
  return Attribute(mlir::DenseElementsAttr::getFromRawBuffer(
      type, {reinterpret_cast<const char*>(dense.data.data()), dense.data.size()}));
}

StatusOr<Attribute> AttributeDecoder::DecodeArray(uint32_t offset, TypeCode code) {
  TFRT_ASSIGN_OR_RETURN(bef::ArrayView array, bef::ReadArray(bytes_, offset, code));
  size_t size = bef::ElementSize(array.element);
  llvm::SmallVector<Attribute> elements;
  for (size_t i = 0; i < array.count; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, array.data.data() + i * size, std::min(size, sizeof(bits)));
    TFRT_ASSIGN_OR_RETURN(Attribute element, array.element == TypeCode::kType
                                                 ? TypeNamed(static_cast<TypeCode>(bits))
                                                 : Scalar(array.element, bits));
    elements.push_back(element);
  }
  return Attribute(mlir::ArrayAttr::get(context_, elements));
}

StatusOr<Attribute> AttributeDecoder::DecodeAggregate(uint32_t offset) {
  TFRT_ASSIGN_OR_RETURN(std::vector<bef::AggregateElement> aggregate,
                        bef::ReadAggregate(bytes_, offset));
  llvm::SmallVector<Attribute> elements;
  for (const bef::AggregateElement& element : aggregate) {
    TFRT_ASSIGN_OR_RETURN(Attribute value, DecodeNew(element.offset, element.code));
    elements.push_back(value);
  }
  return Attribute(mlir::ArrayAttr::get(context_, elements));
}

StatusOr<Attribute> AttributeDecoder::DecodeSymbolRef(uint32_t offset) {
  TFRT_ASSIGN_OR_RETURN(bef::SymbolRefView symbol, bef::ReadSymbolRef(bytes_, offset));
  llvm::SmallVector<mlir::FlatSymbolRefAttr> nested;
  for (std::string_view name : symbol.nested) {
    nested.push_back(mlir::FlatSymbolRefAttr::get(context_, llvm::StringRef(name)));
  }
  return Attribute(mlir::SymbolRefAttr::get(context_, llvm::StringRef(symbol.root), nested));
}

}  // namespace tfrt::compiler
