#include "tfrt/bef/attribute_encoder.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "tfrt/bef/attribute_codec.h"
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
    size_t size = ElementSize(code);
    uint64_t bits = ScalarBits(value);
    std::memcpy(Place(ScalarPlacement(size), size), &bits, size);
    return Position(size);
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

  static uint64_t ScalarBits(const AttributeValue& value) {
    return value.code == TypeCode::kI1 ? value.bits & 1 : value.bits;
  }

  // Room for a value of `size` bytes, padding in front; valid until the next call.
  uint8_t* Place(const Placement& at, uint64_t size) {
    out_.AlignFor(at.alignment, at.offset);
    return out_.Extend(size);
  }

  StatusOr<uint32_t> String(const AttributeValue& value) {
    size_t size = value.text.size();
    TFRT_RETURN_IF_ERROR(CheckCount("string length", size, kMaxU32));
    uint8_t* to = CountedBytes::Encode(
        static_cast<uint32_t>(size),
        Place(CountedBytes::PlacementFor(1), CountedBytes::SizeBytes(size, 1)));
    std::memcpy(to, value.text.data(), size);  // NOLINT: its size comes first
    return Position(CountedBytes::SizeBytes(size, 1));
  }

  StatusOr<uint32_t> Shape(const AttributeValue& value) {
    if (!value.ranked) {
      ShapeBytes::EncodeUnranked(Place(ShapeBytes::kUnrankedPlacement, ShapeBytes::kUnrankedBytes));
      return Position(ShapeBytes::kUnrankedBytes);
    }
    size_t rank = value.dims.size();
    TFRT_RETURN_IF_ERROR(CheckCount("shape rank", rank, (kMaxU32 - ShapeBytes::kHeaderBytes) / 8));
    uint64_t size = ShapeBytes::SizeBytes(rank);
    ShapeBytes::Encode(value.dims, Place(ShapeBytes::kPlacement, size));
    return Position(size);
  }

  StatusOr<uint32_t> Dense(const AttributeValue& value) {
    size_t rank = value.dims.size();
    size_t element_size = ElementSize(value.code);
    size_t prefix = DenseBytes::PrefixBytes(rank);
    size_t count = value.data.size() / element_size;
    TFRT_RETURN_IF_ERROR(CheckCount("dense rank", rank, DenseBytes::kMaxRank));
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
    size_t size = prefix + value.data.size();
    out_.AlignFor(DenseBytes::kPlacement.alignment, DenseBytes::kPlacement.offset);
    if (dense_.alignment > 8 && value.data.size() >= kLargeDenseBytes) {
      size_t misplaced = (dense_.phase + out_.size() + prefix) % dense_.alignment;
      out_.Pad((dense_.alignment - misplaced) % dense_.alignment);
    }
    DenseBytes::Encode(value.code, value.dims, value.data, out_.Extend(size));
    return Position(size);
  }

  StatusOr<uint32_t> Array(const AttributeValue& value, size_t element_size) {
    size_t count = value.elements.size();
    TFRT_RETURN_IF_ERROR(CheckCount("array size", count, kMaxU32));
    uint64_t size = CountedBytes::SizeBytes(count, element_size);
    uint8_t* to = CountedBytes::Encode(
        static_cast<uint32_t>(count),
        Place(CountedBytes::PlacementFor(count == 0 ? 1 : element_size), size));
    for (const AttributeValue& element : value.elements) {
      uint64_t bits = element.kind == AttributeKind::kType ? static_cast<uint64_t>(element.code)
                                                           : ScalarBits(element);
      std::memcpy(to, &bits, element_size);
      to += element_size;
    }
    return Position(size);
  }

  StatusOr<uint32_t> SymbolRef(const AttributeValue& value) {
    size_t start = out_.size();
    SymbolRefBytes::Encode(
        {value.bits, value.text, {value.nested.begin(), value.nested.end()}, value.module_text},
        &out_);
    return At(start);
  }

  StatusOr<uint32_t> Aggregate(const AttributeValue& value, int depth) {
    size_t count = value.elements.size();
    TFRT_RETURN_IF_ERROR(CheckCount("aggregate size", count, AggregateBytes::kMaxCount));
    TFRT_RETURN_IF_ERROR(CheckCount("aggregate depth", depth, kMaxAggregateDepth));
    size_t alignment = 4;
    for (const AttributeValue& element : value.elements) {
      alignment = std::max(alignment, AlignmentInAggregate(element));
    }
    size_t prefix = AggregateBytes::PrefixBytes(count);
    AggregateBytes::EncodePrefix(static_cast<uint32_t>(count), alignment,
                                 Place(AggregateBytes::PlacementFor(count, alignment), prefix));
    size_t start = out_.size() - prefix;
    for (size_t i = 0; i < count; ++i) {
      out_.EmitByte(kPadding);
      TFRT_ASSIGN_OR_RETURN(uint32_t offset, Encode(value.elements[i], depth + 1));
      out_.PatchByte(offset - 1, static_cast<uint8_t>(EncodedType(value.elements[i])));
      out_.PatchU32(start + AggregateBytes::OffsetAt(i), static_cast<uint32_t>(offset - start));
    }
    out_.PatchU32(start + AggregateBytes::kSizeBytesAt, static_cast<uint32_t>(out_.size() - start));
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
