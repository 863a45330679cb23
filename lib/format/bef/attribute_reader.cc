#include "attribute_reader.h"

#include <algorithm>

#include "tfrt/support/str_cat.h"

namespace tfrt::bef {
namespace {

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

// Returns the number of bytes.
StatusOr<size_t> ReadSymbolRef(AttributeBytes attributes, uint32_t offset, bool with_names,
                               SymbolRefView* view) {
  constexpr std::string_view kKind = "symbol reference";
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, 1, kKind));
  size_t size = SymbolRefBytes::DecodeChecked(attributes.subspan(offset), with_names, view);
  return size > 0 ? StatusOr<size_t>(size) : Damaged(kKind, offset, "is damaged");
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
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, CountedBytes::kHeaderBytes, "string"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "string"));
  uint32_t size = CountedBytes::Count(bytes);
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, CountedBytes::SizeBytes(size, 1), "string"));
  return std::string_view(reinterpret_cast<const char*>(CountedBytes::Elements(bytes)), size);
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
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, ShapeBytes::kUnrankedBytes, "shape"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "shape"));
  if (!ShapeBytes::IsRanked(bytes)) return ShapeView{};
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, ShapeBytes::kHeaderBytes, "shape"));
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes + ShapeBytes::kHeaderBytes, 8, offset, "shape"));
  if (!ShapeBytes::IsIntact(bytes)) return Damaged("shape", offset, "has a damaged header");
  uint64_t size = ShapeBytes::SizeBytes(ShapeBytes::Rank(bytes));
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, "shape"));
  ShapeView view{true, ShapeBytes::Dims(bytes)};
  for (int64_t dim : view.dims) {
    if (dim < -1) return Damaged("shape", offset, StrCat("has the dimension ", dim));
  }
  return view;
}

StatusOr<DenseView> ReadDense(AttributeBytes attributes, uint32_t offset) {
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, DenseBytes::kHeaderBytes, "dense"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "dense"));
  DenseView view;
  view.element = DenseBytes::Element(bytes);
  view.num_elements = DenseBytes::NumElements(bytes);
  size_t element_size = IsElementCode(view.element) ? ElementSize(view.element) : 0;
  if (element_size == 0) {
    return Damaged(
        "dense", offset,
        StrCat("has the unknown element type code ", int{static_cast<uint8_t>(view.element)}));
  }
  if (!DenseBytes::IsIntact(bytes)) return Damaged("dense", offset, "has a damaged header");
  uint64_t prefix = DenseBytes::PrefixBytes(DenseBytes::Rank(bytes));
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, prefix, "dense"));
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes + prefix, 8, offset, "dense"));
  view.dims = DenseBytes::Dims(bytes);
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
  uint64_t size = DenseBytes::SizeBytes(bytes);
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
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, CountedBytes::kHeaderBytes, "array"));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, "array"));
  view.count = CountedBytes::Count(bytes);
  uint64_t size = CountedBytes::SizeBytes(view.count, ElementSize(view.element));
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, "array"));
  const uint8_t* elements = CountedBytes::Elements(bytes);
  view.data = {elements, bytes + size};
  if (view.count == 0) return view;  // an empty array is written without its elements' alignment
  TFRT_RETURN_IF_ERROR(CheckAligned(elements, ElementSize(view.element), offset, "array"));
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
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, AggregateBytes::kHeaderBytes, kKind));
  const uint8_t* bytes = attributes.data() + offset;
  TFRT_RETURN_IF_ERROR(CheckAligned(bytes, 4, offset, kKind));
  if (!AggregateBytes::IsIntact(bytes)) return Damaged(kKind, offset, "has a damaged header");
  uint64_t size = AggregateBytes::SizeBytes(bytes);
  TFRT_RETURN_IF_ERROR(CheckRange(attributes, offset, size, kKind));
  std::vector<AggregateElement> elements(AggregateBytes::Count(bytes));
  // The end of the element before, as far as it is known here.
  uint64_t end = AggregateBytes::PrefixBytes(elements.size());
  for (size_t i = 0; i < elements.size(); ++i) {
    uint64_t position = AggregateBytes::Offset(bytes, i);
    if (position <= end || position >= size) {
      return Damaged(kKind, offset, StrCat("has element ", i, " at byte ", position, " of ", size));
    }
    end = position;
    elements[i] = {AggregateBytes::Code(bytes + position),
                   static_cast<uint32_t>(offset + position)};
  }
  return elements;
}

StatusOr<SymbolRefView> ReadSymbolRef(AttributeBytes attributes, uint32_t offset) {
  SymbolRefView view;
  TFRT_RETURN_IF_ERROR(ReadSymbolRef(attributes, offset, true, &view).status());
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
      if (!view.ranked) return offset + uint32_t{ShapeBytes::kUnrankedBytes};
      return end_of(view.dims.data() + view.dims.size());
    }
    case TypeCode::kDense: {
      TFRT_ASSIGN_OR_RETURN(DenseView view, ReadDense(attributes, offset));
      return end_of(view.data.data() + view.data.size());
    }
    case TypeCode::kSymbolRef: {
      SymbolRefView view;
      TFRT_ASSIGN_OR_RETURN(size_t size, ReadSymbolRef(attributes, offset, false, &view));
      return static_cast<uint32_t>(offset + size);
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
  auto end = static_cast<uint32_t>(offset + AggregateBytes::PrefixBytes(elements.size()));
  uint32_t total_end = offset + AggregateBytes::SizeBytes(attributes.data() + offset);
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
