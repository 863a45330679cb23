#include "attribute_conversion.h"

#include <cstring>
#include <type_traits>

#include "dialects/element_type_interface.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

namespace tfrt::compiler {
namespace {

using bef::AttributeValue;
using bef::TypeCode;

std::string printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

void appendBits(std::vector<uint8_t>& data, const llvm::APInt& bits, size_t size) {
  uint64_t value = bits.getZExtValue();
  for (size_t i = 0; i < size; ++i) data.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

std::optional<AttributeValue> denseAttribute(mlir::DenseElementsAttr dense) {
  mlir::Type element = dense.getElementType();
  TypeCode code = toTypeCode(element);
  size_t size = bef::ElementSize(code);
  if (code == TypeCode::kUnsupported || (code >= TypeCode::kString && code <= TypeCode::kQI32)) {
    return std::nullopt;
  }
  std::vector<uint8_t> data;
  data.reserve(size * static_cast<size_t>(dense.getNumElements()));
  if (auto complex = mlir::dyn_cast<mlir::ComplexType>(element)) {
    if (!mlir::isa<mlir::FloatType>(complex.getElementType())) return std::nullopt;
    for (std::complex<llvm::APFloat> value : dense.getValues<std::complex<llvm::APFloat>>()) {
      appendBits(data, value.real().bitcastToAPInt(), size / 2);
      appendBits(data, value.imag().bitcastToAPInt(), size / 2);
    }
  } else if (mlir::isa<mlir::FloatType>(element)) {
    // The raw bytes are the little-endian elements already; only a splat has to be written out.
    if (!dense.isSplat()) {
      auto raw = dense.getRawData();
      data.assign(raw.begin(), raw.end());
    } else {
      for (const llvm::APFloat& value : dense.getValues<llvm::APFloat>()) {
        appendBits(data, value.bitcastToAPInt(), size);
      }
    }
  } else {
    for (const llvm::APInt& value : dense.getValues<llvm::APInt>()) appendBits(data, value, size);
  }
  auto shape = dense.getType().getShape();
  AttributeValue result = bef::DenseAttribute(code, {shape.begin(), shape.end()}, std::move(data));
  result.type = printed(dense.getType());
  return result;
}

// The elements of array<i64: 1, 2>.
std::optional<AttributeValue> denseArrayAttribute(mlir::DenseArrayAttr array) {
  TypeCode code = toTypeCode(array.getElementType());
  if (!bef::IsScalarCode(code)) return std::nullopt;
  const size_t size = bef::ElementSize(code);
  const std::string type = printed(array.getElementType());
  std::vector<AttributeValue> elements;
  for (int64_t i = 0; i < array.getSize(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, array.getRawData().data() + static_cast<size_t>(i) * size, size);
    elements.push_back(bef::ScalarAttribute(code, bits, type));
  }
  return bef::ArrayAttribute(std::move(elements));
}

// Those of a dialect that has shapes.
std::optional<AttributeValue> shapeAttribute(mlir::Attribute attribute) {
  auto* tensors = attribute.getDialect().getRegisteredInterface<TensorDialectInterface>();
  std::optional<KnownShape> shape = tensors ? tensors->readShape(attribute) : std::nullopt;
  if (!shape) return std::nullopt;
  AttributeValue result = shape->ranked
                              ? bef::ShapeAttribute({shape->dims.begin(), shape->dims.end()})
                              : bef::UnrankedShapeAttribute();
  result.type = "shape";
  return result;
}

// Returns the result of `get` for the first of the context's dialects that has such an interface
// and gives a result; null if none does.
template <typename Get>
auto getFromDialects(mlir::MLIRContext* context, Get get)
    -> std::invoke_result_t<Get, const TensorDialectInterface&> {
  for (mlir::Dialect* dialect : context->getLoadedDialects()) {
    auto* tensors = dialect->getRegisteredInterface<TensorDialectInterface>();
    if (!tensors) continue;
    if (auto found = get(*tensors)) return found;
  }
  return {};
}

}  // namespace

TypeCode toTypeCode(mlir::Type type) {
  auto element = mlir::dyn_cast<ElementTypeInterface>(type);
  return static_cast<TypeCode>(element ? element.getDType() : dtypeOf(type));
}

mlir::Type fromTypeCode(TypeCode code, mlir::MLIRContext* context) {
  const auto dtype = static_cast<DType>(code);
  if (mlir::Type builtin = elementType(dtype, context)) return builtin;
  return getFromDialects(context, [&](const TensorDialectInterface& tensors) {
    return tensors.getElementType(dtype);
  });
}

std::optional<AttributeValue> toBefAttribute(mlir::Attribute attribute) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerAttr>(attribute)) {
    TypeCode code = toTypeCode(integer.getType());
    if (code == TypeCode::kUnsupported) return std::nullopt;
    return bef::ScalarAttribute(code, integer.getValue().getZExtValue(),
                                printed(integer.getType()));
  }
  if (auto number = mlir::dyn_cast<mlir::FloatAttr>(attribute)) {
    TypeCode code = toTypeCode(number.getType());
    if (code == TypeCode::kUnsupported) return std::nullopt;
    return bef::ScalarAttribute(code, number.getValue().bitcastToAPInt().getZExtValue(),
                                printed(number.getType()));
  }
  if (auto string = mlir::dyn_cast<mlir::StringAttr>(attribute)) {
    return bef::StringAttribute(string.getValue().str());
  }
  if (auto type = mlir::dyn_cast<mlir::TypeAttr>(attribute)) {
    TypeCode code = toTypeCode(type.getValue());
    if (code == TypeCode::kUnsupported) return std::nullopt;
    AttributeValue result = bef::TypeAttribute(code);
    result.type = printed(type.getValue());
    return result;
  }
  if (auto array = mlir::dyn_cast<mlir::ArrayAttr>(attribute)) {
    std::vector<AttributeValue> elements;
    for (mlir::Attribute element : array) {
      auto value = toBefAttribute(element);
      if (!value) return std::nullopt;
      elements.push_back(*std::move(value));
    }
    return bef::ArrayAttribute(std::move(elements));
  }
  if (auto dense = mlir::dyn_cast<mlir::DenseIntOrFPElementsAttr>(attribute)) {
    return denseAttribute(dense);
  }
  if (auto array = mlir::dyn_cast<mlir::DenseArrayAttr>(attribute)) {
    return denseArrayAttribute(array);
  }
  return shapeAttribute(attribute);
}

mlir::Attribute decodeShapeAttribute(bool ranked, llvm::ArrayRef<int64_t> dims,
                                     mlir::MLIRContext* context) {
  return getFromDialects(context, [&](const TensorDialectInterface& tensors) {
    return tensors.getShape({ranked, dims});
  });
}

}  // namespace tfrt::compiler
