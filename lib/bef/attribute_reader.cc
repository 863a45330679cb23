#include "tfrt/bef/attribute_reader.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "lib/bef/byte_reader.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

constexpr size_t kShapePrefix = 12;
constexpr size_t kDensePrefix = 20;      // without the dimensions
constexpr size_t kAggregatePrefix = 12;  // without the offsets

template <typename T>
T Load(const uint8_t* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

bool IsAligned(const uint8_t* address, size_t alignment) {
  return alignment < 2 || reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

Status Damaged(std::string_view kind, uint32_t offset, std::string_view reason) {
  return InvalidArgumentError(StrCat(kind, " attribute at offset ", offset, " ", reason));
}

// The bytes of `kind` at `offset`, of which `size` must be there.
Status CheckRange(AttributeBytes attributes, uint32_t offset, uint64_t size,
                  std::string_view kind) {
  if (offset <= attributes.size() && size <= attributes.size() - offset) return OkStatus();
  return Damaged(kind, offset,
                 StrCat("of ", size, " bytes runs past the end of the section (", attributes.size(),
                        " bytes)"));
}

Status CheckAligned(const uint8_t* address, size_t alignment, uint32_t offset,
                    std::string_view kind) {
  if (IsAligned(address, alignment)) return OkStatus();
  return Damaged(kind, offset, StrCat("is not aligned by ", alignment));
}

std::span<const int64_t> Dims(const uint8_t* address, size_t rank) {
  return {reinterpret_cast<const int64_t*>(address), rank};
}

}  // namespace

StatusOr<uint64_t> ReadScalar(AttributeBytes attributes, uint32_t offset, TypeCode code) {
  if (!IsScalarCode(code)) {
    return InvalidArgumentError(
        StrCat("type code ", static_cast<int>(code), " is not that of a scalar attribute"));
  }
  std::string_view kind = TypeCodeName(code);
  size_t size = ElementSize(code);
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, kind));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, size, offset, kind));
  uint64_t bits = 0;
  for (size_t i = 0; i < size; ++i) bits |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  if (code == TypeCode::kI1 && bits > 1) {
    return Damaged(kind, offset, StrCat("holds ", bits, ", neither 0 nor 1"));
  }
  return bits;
}

StatusOr<std::string_view> ReadString(AttributeBytes attributes, uint32_t offset) {
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 4, "string"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "string"));
  uint32_t size = Load<uint32_t>(bytes);
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 4 + uint64_t{size}, "string"));
  return std::string_view(reinterpret_cast<const char*>(bytes) + 4, size);
}

StatusOr<TypeCode> ReadType(AttributeBytes attributes, uint32_t offset) {
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 1, "type"));
  TypeCode code = static_cast<TypeCode>(attributes[offset]);
  if (!IsElementCode(code)) {
    return Damaged("type", offset, StrCat("holds the unknown type code ", static_cast<int>(code)));
  }
  return code;
}

StatusOr<ShapeView> ReadShape(AttributeBytes attributes, uint32_t offset) {
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 4, "shape"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "shape"));
  if (Load<uint32_t>(bytes) == 0) return ShapeView{};
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, kShapePrefix, "shape"));
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes + kShapePrefix, 8, offset, "shape"));
  uint32_t rank = Load<uint32_t>(bytes + 8);
  uint64_t size = kShapePrefix + 8 * uint64_t{rank};
  if (bytes[0] != 8 || bytes[1] != 0 || Load<uint16_t>(bytes + 2) != kShapePrefix ||
      Load<uint32_t>(bytes + 4) != size) {
    return Damaged("shape", offset, "has a damaged header");
  }
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, "shape"));
  ShapeView view{true, Dims(bytes + kShapePrefix, rank)};
  for (int64_t dim : view.dims) {
    if (dim < -1) return Damaged("shape", offset, StrCat("has the dimension ", dim));
  }
  return view;
}

StatusOr<DenseView> ReadDense(AttributeBytes attributes, uint32_t offset) {
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, kDensePrefix, "dense"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "dense"));
  uint64_t prefix = Load<uint16_t>(bytes + 2);
  uint64_t size = Load<uint32_t>(bytes + 4);
  uint64_t rank = Load<uint32_t>(bytes + 16);
  DenseView view;
  view.element = static_cast<TypeCode>(bytes[1]);
  view.num_elements = Load<uint32_t>(bytes + 12);
  size_t element_size = IsElementCode(view.element) ? ElementSize(view.element) : 0;
  if (element_size == 0) {
    return Damaged("dense", offset, StrCat("has the unknown element type code ", int{bytes[1]}));
  }
  if (bytes[0] != 8 || prefix != kDensePrefix + 8 * rank || prefix != Load<uint32_t>(bytes + 8)) {
    return Damaged("dense", offset, "has a damaged header");
  }
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, prefix, "dense"));
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes + prefix, 8, offset, "dense"));
  view.dims = Dims(bytes + kDensePrefix, rank);
  uint64_t product = 1;
  for (int64_t dim : view.dims) {
    if (dim < 0) return Damaged("dense", offset, StrCat("has the dimension ", dim));
    if (__builtin_mul_overflow(product, static_cast<uint64_t>(dim), &product)) {
      return Damaged("dense", offset, "has more elements than 64 bits can count");
    }
  }
  if (product != view.num_elements) {
    return Damaged(
        "dense", offset,
        StrCat("has dimensions for ", product, " elements but says ", view.num_elements));
  }
  uint64_t data_size = product * element_size;
  if (size != prefix + data_size) {
    return Damaged("dense", offset, StrCat("needs ", prefix + data_size, " bytes but says ", size));
  }
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, "dense"));
  view.data = attributes.subspan(offset + prefix, data_size);
  if (view.element != TypeCode::kI1) return view;
  auto bad = std::ranges::find_if(view.data, [](uint8_t byte) { return byte > 1; });
  if (bad == view.data.end()) return view;
  return Damaged("dense", offset,
                 StrCat("holds ", int{*bad}, " as element ", bad - view.data.begin(), " of i1"));
}

StatusOr<ArrayView> ReadArray(AttributeBytes attributes, uint32_t offset, TypeCode code) {
  ArrayView view;
  view.element = ArrayElement(code);
  if (!IsArrayCode(code) || !(IsScalarCode(view.element) || view.element == TypeCode::kType)) {
    return InvalidArgumentError(
        StrCat("type code ", static_cast<int>(code), " is not that of an array attribute"));
  }
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 4, "array"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "array"));
  view.count = Load<uint32_t>(bytes);
  uint64_t size = uint64_t{view.count} * ElementSize(view.element);
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 4 + size, "array"));
  view.data = attributes.subspan(offset + 4, size);
  if (view.count == 0) return view;  // an empty array is written without its elements' alignment
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes + 4, ElementSize(view.element), offset, "array"));
  if (view.element != TypeCode::kI1 && view.element != TypeCode::kType) return view;
  for (uint8_t byte : view.data) {
    bool valid =
        view.element == TypeCode::kI1 ? byte <= 1 : IsElementCode(static_cast<TypeCode>(byte));
    if (!valid) {
      return Damaged("array", offset,
                     StrCat("holds ", int{byte}, " as an element of an ", TypeCodeName(code)));
    }
  }
  return view;
}

StatusOr<std::vector<AggregateElement>> ReadAggregate(AttributeBytes attributes, uint32_t offset) {
  constexpr std::string_view kKind = "aggregate";
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, kAggregatePrefix, kKind));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, kKind));
  uint64_t size = Load<uint32_t>(bytes + 4);
  uint64_t count = Load<uint32_t>(bytes + 8);
  uint64_t prefix = kAggregatePrefix + 4 * count;
  if (Load<uint16_t>(bytes + 2) != prefix || size < prefix) {
    return Damaged(kKind, offset, "has a damaged header");
  }
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, kKind));
  std::vector<AggregateElement> elements(count);
  uint64_t end = prefix;  // of the element before, as far as it is known here
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t position = Load<uint32_t>(bytes + kAggregatePrefix + 4 * i);
    if (position <= end || position >= size) {
      return Damaged(kKind, offset, StrCat("has element ", i, " at byte ", position, " of ", size));
    }
    end = position;
    elements[i] = {static_cast<TypeCode>(bytes[position - 1]),
                   static_cast<uint32_t>(offset + position)};
  }
  return elements;
}

namespace {

// All of a symbol reference but the nested names, which `take_name` gets one by one. Returns their
// number.
template <typename F>
StatusOr<uint32_t> ScanSymbolRef(AttributeBytes attributes, uint32_t offset, SymbolRefView* view,
                                 F take_name) {
  constexpr std::string_view kKind = "symbol reference";
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 1, kKind));
  ByteReader in(attributes, offset);
  uint32_t root_size, num_nested, module_size, size;
  bool ok = in.ReadVbr(&view->number) && in.ReadCount(&root_size) && in.ReadCount(&num_nested);
  ByteReader sizes = in;
  for (uint32_t i = 0; ok && i < num_nested; ++i) ok = in.ReadCount(&size);
  ok = ok && in.ReadCount(&module_size) && in.ReadText(root_size, &view->root);
  for (uint32_t i = 0; ok && i < num_nested; ++i) {
    std::string_view name;
    ok = sizes.ReadCount(&size) && in.ReadText(size, &name);
    take_name(name);
  }
  uint8_t end = 1;
  ok = ok && in.ReadText(module_size, &view->module_text) && in.ReadByte(&end) && end == 0;
  if (!ok) return Damaged(kKind, offset, "is damaged");
  return num_nested;
}

}  // namespace

StatusOr<SymbolRefView> ReadSymbolRef(AttributeBytes attributes, uint32_t offset) {
  SymbolRefView view;
  TFRT_ASSIGN_OR_RETURN(uint32_t num_nested,
                        ScanSymbolRef(attributes, offset, &view, [](std::string_view) {}));
  view.nested.reserve(num_nested);
  TFRT_RETURN_IF_ERROR(ScanSymbolRef(attributes, offset, &view, [&](std::string_view name) {
                         view.nested.push_back(name);
                       }).status());
  return view;
}

namespace {

StatusOr<uint32_t> Verify(AttributeBytes attributes, uint32_t offset, TypeCode code, int depth) {
  // Position behind a view's last byte.
  auto end_of = [&](const void* end) {
    return static_cast<uint32_t>(static_cast<const uint8_t*>(end) - attributes.data());
  };
  if (IsScalarCode(code)) {
    TFRT_RETURN_IF_ERROR(ReadScalar(attributes, offset, code).status());
    return static_cast<uint32_t>(offset + ElementSize(code));
  }
  if (IsArrayCode(code)) {
    TFRT_ASSIGN_OR_RETURN(ArrayView view, ReadArray(attributes, offset, code));
    return end_of(view.data.data() + view.data.size());
  }
  switch (code) {
    case TypeCode::kString: {
      TFRT_ASSIGN_OR_RETURN(std::string_view text, ReadString(attributes, offset));
      return end_of(text.data() + text.size());
    }
    case TypeCode::kType:
      TFRT_RETURN_IF_ERROR(ReadType(attributes, offset).status());
      return offset + 1;
    case TypeCode::kShape: {
      TFRT_ASSIGN_OR_RETURN(ShapeView view, ReadShape(attributes, offset));
      if (!view.ranked) return offset + 4;
      return end_of(view.dims.data() + view.dims.size());
    }
    case TypeCode::kDense: {
      TFRT_ASSIGN_OR_RETURN(DenseView view, ReadDense(attributes, offset));
      return end_of(view.data.data() + view.data.size());
    }
    case TypeCode::kSymbolRef: {
      SymbolRefView view;
      TFRT_RETURN_IF_ERROR(
          ScanSymbolRef(attributes, offset, &view, [](std::string_view) {}).status());
      return end_of(view.module_text.data() + view.module_text.size() + 1);
    }
    case TypeCode::kAggregate:
      break;
    default:
      return InvalidArgumentError(StrCat("attribute at offset ", offset,
                                         " has the unknown type code ", static_cast<int>(code)));
  }
  if (depth == kMaxAggregateDepth) {
    return Damaged("aggregate", offset, StrCat("is nested more than ", depth, " deep"));
  }
  TFRT_ASSIGN_OR_RETURN(auto elements, ReadAggregate(attributes, offset));
  // Elements lie one behind the other, so that no byte is read through two of them.
  uint32_t end = static_cast<uint32_t>(offset + kAggregatePrefix + 4 * elements.size());
  uint32_t total_end = offset + Load<uint32_t>(attributes.data() + offset + 4);
  for (const AggregateElement& element : elements) {
    if (element.offset <= end) {
      return Damaged("aggregate", offset,
                     StrCat("has an element at offset ", element.offset, " inside the one before"));
    }
    TFRT_ASSIGN_OR_RETURN(end, Verify(attributes, element.offset, element.code, depth + 1));
    if (end > total_end) {
      return Damaged("aggregate", offset,
                     StrCat("ends at offset ", total_end, " but an element at ", end));
    }
  }
  return total_end;
}

}  // namespace

StatusOr<uint32_t> VerifyAttribute(AttributeBytes attributes, uint32_t offset, TypeCode code) {
  return Verify(attributes, offset, code, 0);
}

}  // namespace tfrt::bef
