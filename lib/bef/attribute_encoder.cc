#include "tfrt/bef/attribute_encoder.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::bef {

bool AttributeValue::operator==(const AttributeValue& other) const = default;

namespace {

size_t Mix(size_t seed, size_t value) {
  return seed ^ (value + 0x9E3779B97F4A7C15u + (seed << 6) + (seed >> 2));
}

std::string_view AsText(const std::vector<uint8_t>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

size_t HashValue(const AttributeValue& value) {
  std::hash<std::string_view> hash_text;
  size_t hash = Mix(static_cast<size_t>(value.kind), static_cast<size_t>(value.code));
  hash = Mix(hash, value.bits);
  hash = Mix(hash, hash_text(value.text));
  hash = Mix(hash, hash_text(value.type));
  hash = Mix(hash, hash_text(AsText(value.data)));
  for (int64_t dim : value.dims) hash = Mix(hash, static_cast<size_t>(dim));
  for (const AttributeValue& element : value.elements) hash = Mix(hash, HashValue(element));
  for (const std::string& name : value.nested) hash = Mix(hash, hash_text(name));
  return hash;
}

AttributeValue ScalarAttribute(TypeCode code, uint64_t bits, std::string type) {
  AttributeValue value;
  value.kind = AttributeKind::kScalar;
  value.code = code;
  value.bits = bits;
  value.type = type.empty() ? std::string(TypeCodeName(code)) : std::move(type);
  return value;
}

AttributeValue StringAttribute(std::string text) {
  AttributeValue value;
  value.kind = AttributeKind::kString;
  value.text = std::move(text);
  return value;
}

AttributeValue TypeAttribute(TypeCode named) {
  AttributeValue value;
  value.kind = AttributeKind::kType;
  value.code = named;
  return value;
}

AttributeValue ShapeAttribute(std::vector<int64_t> dims) {
  AttributeValue value;
  value.kind = AttributeKind::kShape;
  value.dims = std::move(dims);
  return value;
}

AttributeValue UnrankedShapeAttribute() {
  AttributeValue value;
  value.kind = AttributeKind::kShape;
  value.ranked = false;
  return value;
}

AttributeValue DenseAttribute(TypeCode element, std::vector<int64_t> dims,
                              std::vector<uint8_t> data) {
  AttributeValue value;
  value.kind = AttributeKind::kDense;
  value.code = element;
  value.dims = std::move(dims);
  value.data = std::move(data);
  return value;
}

AttributeValue ArrayAttribute(std::vector<AttributeValue> elements) {
  AttributeValue value;
  value.kind = AttributeKind::kArray;
  value.elements = std::move(elements);
  return value;
}

AttributeValue SymbolRefAttribute(uint64_t number, std::string root,
                                  std::vector<std::string> nested, std::string module_text) {
  AttributeValue value;
  value.kind = AttributeKind::kSymbolRef;
  value.bits = number;
  value.text = std::move(root);
  value.nested = std::move(nested);
  value.module_text = std::move(module_text);
  return value;
}

TypeCode EncodedType(const AttributeValue& value) {
  switch (value.kind) {
    case AttributeKind::kScalar:
      return IsScalarCode(value.code) ? value.code : TypeCode::kUnsupported;
    case AttributeKind::kString:
      return TypeCode::kString;
    case AttributeKind::kType:
      return IsElementCode(value.code) ? TypeCode::kType : TypeCode::kUnsupported;
    case AttributeKind::kShape:
      return TypeCode::kShape;
    case AttributeKind::kDense:
      return IsElementCode(value.code) && ElementSize(value.code) > 0 ? TypeCode::kDense
                                                                      : TypeCode::kUnsupported;
    case AttributeKind::kSymbolRef:
      return TypeCode::kSymbolRef;
    case AttributeKind::kArray:
      break;
  }
  if (value.elements.empty()) return TypeCode::kEmptyArray;
  TypeCode first = TypeCode::kUnsupported;
  bool uniform = true;
  for (const AttributeValue& element : value.elements) {
    TypeCode code = EncodedType(element);
    if (code == TypeCode::kUnsupported) return code;
    if (first == TypeCode::kUnsupported) first = code;
    uniform = uniform && code == first && (IsScalarCode(code) || code == TypeCode::kType);
  }
  return uniform ? ArrayOf(first) : TypeCode::kAggregate;
}

namespace {

constexpr uint64_t kMaxU32 = std::numeric_limits<uint32_t>::max();

// The alignment that an element asks of the aggregate around it.
size_t AlignmentInAggregate(const AttributeValue& value) {
  switch (value.kind) {
    case AttributeKind::kScalar:
      return value.code == TypeCode::kI1 ? 0 : ElementSize(value.code);
    case AttributeKind::kString:
      return 4;
    case AttributeKind::kType:
    case AttributeKind::kSymbolRef:
      return 1;
    case AttributeKind::kShape:
      return value.ranked ? 8 : 1;
    case AttributeKind::kDense:
      return 8;
    case AttributeKind::kArray:
      break;
  }
  size_t alignment = 8;
  for (const AttributeValue& element : value.elements) {
    alignment = std::max(alignment, AlignmentInAggregate(element));
  }
  return alignment;
}

// Encodes one attribute, with those in it, at the end of a buffer.
class AttributeEncoder {
 public:
  AttributeEncoder(Buffer* out, const DenseAlignment& dense) : out_(*out), dense_(dense) {}

  StatusOr<uint32_t> Encode(const AttributeValue& value, int depth) {
    TypeCode code = EncodedType(value);
    switch (code) {
      case TypeCode::kUnsupported:
        return InvalidArgumentError("the attribute has no BEF encoding");
      case TypeCode::kString:
        return String(value);
      case TypeCode::kType:
        out_.EmitByte(static_cast<uint8_t>(value.code));
        return Position(1);
      case TypeCode::kShape:
        return Shape(value);
      case TypeCode::kDense:
        return Dense(value);
      case TypeCode::kSymbolRef:
        return SymbolRef(value);
      case TypeCode::kAggregate:
        return Aggregate(value, depth);
      default:
        break;
    }
    if (IsArrayCode(code)) return Array(value, ElementSize(ArrayElement(code)));
    Scalar(value);
    return Position(ElementSize(code));
  }

 private:
  // The offset of what was appended last and has `size` bytes.
  StatusOr<uint32_t> Position(size_t size) const { return At(out_.size() - size); }
  StatusOr<uint32_t> At(size_t position) const {
    if (out_.size() > kMaxU32) {
      return InvalidArgumentError(
          StrCat("the attributes take ", out_.size(), " bytes, more than 4294967295"));
    }
    return static_cast<uint32_t>(position);
  }
  static Status CheckCount(std::string_view what, uint64_t count, uint64_t limit) {
    if (count <= limit) return OkStatus();
    return InvalidArgumentError(StrCat(what, " ", count, " is more than the format's ", limit));
  }

  void Scalar(const AttributeValue& value) {
    uint64_t bits = value.code == TypeCode::kI1 ? value.bits & 1 : value.bits;
    out_.EmitAligned(bits, ElementSize(value.code));
  }

  StatusOr<uint32_t> String(const AttributeValue& value) {
    TFRT_RETURN_IF_ERROR(CheckCount("string length", value.text.size(), kMaxU32));
    out_.Align(4);
    size_t start = out_.size();
    out_.EmitU32(static_cast<uint32_t>(value.text.size()));
    out_.EmitBytes(value.text);
    return At(start);
  }

  StatusOr<uint32_t> Shape(const AttributeValue& value) {
    if (!value.ranked) {
      out_.EmitU32(0);
      return Position(4);
    }
    constexpr size_t kPrefix = 12;
    size_t rank = value.dims.size();
    TFRT_RETURN_IF_ERROR(CheckCount("shape rank", rank, (kMaxU32 - kPrefix) / 8));
    out_.AlignFor(8, kPrefix);
    size_t start = out_.size();
    out_.EmitByte(8);
    out_.EmitByte(0);
    out_.EmitU16(kPrefix);
    out_.EmitU32(static_cast<uint32_t>(kPrefix + 8 * rank));
    out_.EmitU32(static_cast<uint32_t>(rank));
    for (int64_t dim : value.dims) out_.EmitU64(static_cast<uint64_t>(dim));
    return At(start);
  }

  StatusOr<uint32_t> Dense(const AttributeValue& value) {
    size_t rank = value.dims.size();
    size_t element_size = ElementSize(value.code);
    size_t prefix = 20 + 8 * rank;
    size_t count = value.data.size() / element_size;
    TFRT_RETURN_IF_ERROR(CheckCount("dense rank", rank, (65535 - 20) / 8));
    TFRT_RETURN_IF_ERROR(CheckCount("dense data size", value.data.size(), kMaxU32 - prefix));
    uint64_t product = 1;
    for (int64_t dim : value.dims) {
      if (dim < 0) return InvalidArgumentError(StrCat("dense dimension ", dim, " is negative"));
      if (__builtin_mul_overflow(product, static_cast<uint64_t>(dim), &product)) product = kMaxU32;
    }
    if (product != count || count * element_size != value.data.size()) {
      return InvalidArgumentError(StrCat("dense attribute of ", product, " elements of ",
                                         element_size, " bytes has ", value.data.size(),
                                         " bytes of data"));
    }
    out_.AlignFor(8, prefix);
    if (dense_.alignment > 8 && value.data.size() >= kLargeDenseBytes) {
      size_t misplaced = (dense_.phase + out_.size() + prefix) % dense_.alignment;
      out_.Pad((dense_.alignment - misplaced) % dense_.alignment);
    }
    size_t start = out_.size();
    out_.EmitByte(8);
    out_.EmitByte(static_cast<uint8_t>(value.code));
    out_.EmitU16(static_cast<uint16_t>(prefix));
    out_.EmitU32(static_cast<uint32_t>(prefix + value.data.size()));
    out_.EmitU32(static_cast<uint32_t>(prefix));
    out_.EmitU32(static_cast<uint32_t>(count));
    out_.EmitU32(static_cast<uint32_t>(rank));
    for (int64_t dim : value.dims) out_.EmitU64(static_cast<uint64_t>(dim));
    out_.EmitBytes(value.data);
    return At(start);
  }

  StatusOr<uint32_t> Array(const AttributeValue& value, size_t element_size) {
    TFRT_RETURN_IF_ERROR(CheckCount("array size", value.elements.size(), kMaxU32));
    if (value.elements.empty() || element_size <= 4) {
      out_.Align(4);
    } else {
      out_.AlignFor(element_size, 4);
    }
    size_t start = out_.size();
    out_.EmitU32(static_cast<uint32_t>(value.elements.size()));
    for (const AttributeValue& element : value.elements) {
      if (element.kind == AttributeKind::kType) {
        out_.EmitByte(static_cast<uint8_t>(element.code));
      } else {
        Scalar(element);
      }
    }
    return At(start);
  }

  StatusOr<uint32_t> SymbolRef(const AttributeValue& value) {
    size_t start = out_.size();
    out_.EmitVbr(value.bits);
    out_.EmitVbr(value.text.size());
    out_.EmitVbr(value.nested.size());
    for (const std::string& name : value.nested) out_.EmitVbr(name.size());
    out_.EmitVbr(value.module_text.size());
    out_.EmitBytes(value.text);
    for (const std::string& name : value.nested) out_.EmitBytes(name);
    out_.EmitBytes(value.module_text);
    out_.EmitByte(0);
    return At(start);
  }

  StatusOr<uint32_t> Aggregate(const AttributeValue& value, int depth) {
    size_t count = value.elements.size();
    size_t prefix = 12 + 4 * count;
    TFRT_RETURN_IF_ERROR(CheckCount("aggregate size", count, (65535 - 12) / 4));
    TFRT_RETURN_IF_ERROR(CheckCount("aggregate depth", depth, kMaxAggregateDepth));
    size_t alignment = 4;
    for (const AttributeValue& element : value.elements) {
      alignment = std::max(alignment, AlignmentInAggregate(element));
    }
    out_.AlignFor(alignment, prefix);
    size_t start = out_.size();
    out_.EmitByte(static_cast<uint8_t>(alignment));
    out_.EmitByte(0);
    out_.EmitU16(static_cast<uint16_t>(prefix));
    out_.EmitU32(0);  // total size, below
    out_.EmitU32(static_cast<uint32_t>(count));
    for (size_t i = 0; i < count; ++i) out_.EmitU32(0);
    for (size_t i = 0; i < count; ++i) {
      out_.EmitByte(kPadding);
      TFRT_ASSIGN_OR_RETURN(uint32_t offset, Encode(value.elements[i], depth + 1));
      out_.PatchByte(offset - 1, static_cast<uint8_t>(EncodedType(value.elements[i])));
      out_.PatchU32(start + 12 + 4 * i, static_cast<uint32_t>(offset - start));
    }
    out_.PatchU32(start + 4, static_cast<uint32_t>(out_.size() - start));
    return At(start);
  }

  Buffer& out_;
  const DenseAlignment dense_;
};

bool HasLargeDense(const AttributeValue& value) {
  if (value.kind == AttributeKind::kDense) return value.data.size() >= kLargeDenseBytes;
  return std::any_of(value.elements.begin(), value.elements.end(), HasLargeDense);
}

Status EncodeAll(const std::vector<const AttributeValue*>& values, const DenseAlignment& dense,
                 EncodedAttributes* result) {
  for (const AttributeValue* value : values) {
    TFRT_ASSIGN_OR_RETURN(uint32_t offset, EncodeAttribute(*value, &result->payload, dense));
    result->offsets.push_back(offset);
  }
  return OkStatus();
}

}  // namespace

StatusOr<uint32_t> EncodeAttribute(const AttributeValue& value, Buffer* buffer,
                                   const DenseAlignment& dense) {
  return AttributeEncoder(buffer, dense).Encode(value, 1);
}

StatusOr<EncodedAttributes> EncodeAttributes(const std::vector<const AttributeValue*>& values,
                                             const FileWriter& file, bool v0_exact) {
  DenseAlignment dense;
  if (!v0_exact && std::any_of(values.begin(), values.end(),
                               [](const AttributeValue* value) { return HasLargeDense(*value); })) {
    dense.alignment = kLargeDenseAlignment;
  }
  // The padding decides the payload's length, the length decides the size of the section's header,
  // and that decides where the payload starts and so the padding. Guess the start, encode, look
  // where it really is, and repeat. Only a length at the edge of a vbr size can alternate; then the
  // payload is filled up to the longest length seen, which settles the header.
  size_t longest = 0;
  for (int attempt = 0;; ++attempt) {
    EncodedAttributes result;
    TFRT_RETURN_IF_ERROR(EncodeAll(values, dense, &result));
    if (dense.alignment == 0) return result;
    if (attempt >= 2 && result.payload.size() < longest) {
      result.payload.Pad(longest - result.payload.size());
    }
    longest = std::max(longest, result.payload.size());
    size_t start = file.PayloadPosition(result.payload.size(), result.payload.required_alignment());
    if (start % dense.alignment == dense.phase) return result;
    dense.phase = start % dense.alignment;
  }
}

}  // namespace tfrt::bef
