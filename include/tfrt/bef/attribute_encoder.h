// Attributes as plain data, and their bytes in the Attributes section.
#ifndef TFRT_BEF_ATTRIBUTE_ENCODER_H_
#define TFRT_BEF_ATTRIBUTE_ENCODER_H_

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "tfrt/bef/bef_buffer.h"
#include "tfrt/bef/bef_format.h"
#include "tfrt/support/status.h"

namespace tfrt::bef {

enum class AttributeKind : uint8_t { kScalar, kString, kType, kShape, kDense, kArray, kSymbolRef };

// One attribute, without MLIR. `kind` determines which fields are used.
struct AttributeValue {
  AttributeKind kind = AttributeKind::kScalar;
  // Scalar: its type. Type attribute: the type it names. Dense: the element type.
  TypeCode code = TypeCode::kI32;
  uint64_t bits = 0;                     // scalar: the low bits; symbol reference: its number
  std::string text;                      // string: its bytes; symbol reference: the root name
  bool ranked = true;                    // shape
  std::vector<int64_t> dims;             // shape (-1: unknown dimension), dense
  std::vector<uint8_t> data;             // dense: all elements, row major, i1 as one byte each
  std::vector<AttributeValue> elements;  // array
  std::vector<std::string> nested;       // symbol reference: names below the root
  std::string module_text;               // symbol reference: the compiled module
  // The type as MLIR prints it ("si32"). Scalars need it where the type list is written. For all
  // kinds it tells attributes with equal bytes apart.
  std::string type;

  bool operator==(const AttributeValue& other) const;
};

size_t HashValue(const AttributeValue& value);

// Makers. `type` defaults to the printed form of the code's signless or unsigned type.
AttributeValue ScalarAttribute(TypeCode code, uint64_t bits, std::string type = {});
inline AttributeValue BoolAttribute(bool v) { return ScalarAttribute(TypeCode::kI1, v); }
inline AttributeValue I32Attribute(int32_t v) {
  return ScalarAttribute(TypeCode::kI32, static_cast<uint32_t>(v));
}
inline AttributeValue I64Attribute(int64_t v) {
  return ScalarAttribute(TypeCode::kI64, static_cast<uint64_t>(v));
}
inline AttributeValue F32Attribute(float v) {
  return ScalarAttribute(TypeCode::kF32, std::bit_cast<uint32_t>(v));
}
inline AttributeValue F64Attribute(double v) {
  return ScalarAttribute(TypeCode::kF64, std::bit_cast<uint64_t>(v));
}
AttributeValue StringAttribute(std::string text);
AttributeValue TypeAttribute(TypeCode named);
AttributeValue ShapeAttribute(std::vector<int64_t> dims);
AttributeValue UnrankedShapeAttribute();
AttributeValue DenseAttribute(TypeCode element, std::vector<int64_t> dims,
                              std::vector<uint8_t> data);
AttributeValue ArrayAttribute(std::vector<AttributeValue> elements);
AttributeValue SymbolRefAttribute(uint64_t number, std::string root,
                                  std::vector<std::string> nested, std::string module_text);

// Returns the code under which the attribute is written, or kUnsupported if it cannot be written.
TypeCode EncodedType(const AttributeValue& value);

// The alignment of large dense constants. The default is no special alignment, as in version 0.
struct DenseAlignment {
  size_t alignment = 0;  // of file positions; 0: version 0
  // The file position of the buffer's start modulo `alignment`.
  size_t phase = 0;
};

// Appends one attribute and returns its offset: the position of the first byte after padding. Fails
// with InvalidArgument if it is not encodable, or if a count does not fit its field.
StatusOr<uint32_t> EncodeAttribute(const AttributeValue& value, Buffer* buffer,
                                   const DenseAlignment& dense = {});

struct EncodedAttributes {
  Buffer payload;
  std::vector<uint32_t> offsets;
};

// Returns the payload of the Attributes section that is appended to `file` next. Unless `v0_exact`,
// dense constants of at least kLargeDenseBytes start at file positions that are multiples of
// kLargeDenseAlignment.
StatusOr<EncodedAttributes> EncodeAttributes(const std::vector<const AttributeValue*>& values,
                                             const FileWriter& file, bool v0_exact);

}  // namespace tfrt::bef

#endif  // TFRT_BEF_ATTRIBUTE_ENCODER_H_
