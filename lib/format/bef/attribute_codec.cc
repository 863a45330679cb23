#include "tfrt/bef/attribute_codec.h"

#include <limits>

#include "byte_reader.h"
#include "tfrt/bef/bef_buffer.h"

namespace tfrt::bef {
namespace {

// The first byte of shapes and dense constants: the alignment of their dimensions.
constexpr uint8_t kDimsAlignment = 8;

void CopyTo(uint8_t* to, const void* bytes, size_t size) {
  if (size > 0) std::memcpy(to, bytes, size);  // an empty span's pointer may be null
}

}  // namespace

void ShapeBytes::Encode(std::span<const int64_t> dims, uint8_t* to) {
  auto rank = static_cast<uint32_t>(dims.size());
  to[0] = kDimsAlignment;
  to[1] = 0;
  StoreNumber(to + 2, static_cast<uint16_t>(kHeaderBytes));
  StoreNumber(to + 4, static_cast<uint32_t>(SizeBytes(rank)));
  StoreNumber(to + 8, rank);
  CopyTo(to + kHeaderBytes, dims.data(), dims.size_bytes());
}

bool ShapeBytes::IsIntact(const uint8_t* data) {
  return data[0] == kDimsAlignment && data[1] == 0 &&
         LoadNumber<uint16_t>(data + 2) == kHeaderBytes &&
         LoadNumber<uint32_t>(data + 4) == SizeBytes(Rank(data));
}

void DenseBytes::Encode(TypeCode element, std::span<const int64_t> dims,
                        std::span<const uint8_t> elements, uint8_t* to) {
  auto rank = static_cast<uint32_t>(dims.size());
  auto prefix = static_cast<uint32_t>(PrefixBytes(rank));
  to[0] = kDimsAlignment;
  to[1] = static_cast<uint8_t>(element);
  StoreNumber(to + 2, static_cast<uint16_t>(prefix));
  StoreNumber(to + 4, static_cast<uint32_t>(prefix + elements.size()));
  StoreNumber(to + 8, prefix);
  StoreNumber(to + 12, static_cast<uint32_t>(elements.size() / ElementSize(element)));
  StoreNumber(to + 16, rank);
  CopyTo(to + kHeaderBytes, dims.data(), dims.size_bytes());
  CopyTo(to + prefix, elements.data(), elements.size());
}

bool DenseBytes::IsIntact(const uint8_t* data) {
  uint64_t prefix = PrefixBytes(Rank(data));
  return data[0] == kDimsAlignment && LoadNumber<uint16_t>(data + 2) == prefix &&
         LoadNumber<uint32_t>(data + 8) == prefix;
}

void AggregateBytes::EncodePrefix(uint32_t count, size_t alignment, uint8_t* to) {
  std::memset(to, 0, PrefixBytes(count));
  to[0] = static_cast<uint8_t>(alignment);
  StoreNumber(to + 2, static_cast<uint16_t>(PrefixBytes(count)));
  StoreNumber(to + 8, count);
}

bool AggregateBytes::IsIntact(const uint8_t* data) {
  uint64_t prefix = PrefixBytes(Count(data));
  return LoadNumber<uint16_t>(data + 2) == prefix && SizeBytes(data) >= prefix;
}

void SymbolRefBytes::Encode(const SymbolRefView& value, Buffer* to) {
  to->EmitVbr(value.number);
  to->EmitVbr(value.root.size());
  to->EmitVbr(value.nested.size());
  for (std::string_view name : value.nested) to->EmitVbr(name.size());
  to->EmitVbr(value.module_text.size());
  to->EmitBytes(value.root);
  for (std::string_view name : value.nested) to->EmitBytes(name);
  to->EmitBytes(value.module_text);
  to->EmitByte(0);
}

namespace {

// All of a reference but the nested names, which `take_name` gets one by one; the number of its
// bytes, or 0.
template <typename F>
size_t ScanSymbolRef(std::span<const uint8_t> bytes, SymbolRefView* view, uint32_t* num_nested,
                     F take_name) {
  ByteReader in(bytes);
  uint32_t root_size, module_size, size;
  bool ok = in.ReadVbr(&view->number) && in.ReadCount(&root_size) && in.ReadCount(num_nested);
  ByteReader sizes = in;
  for (uint32_t i = 0; ok && i < *num_nested; ++i) ok = in.ReadCount(&size);
  ok = ok && in.ReadCount(&module_size) && in.ReadText(root_size, &view->root);
  for (uint32_t i = 0; ok && i < *num_nested; ++i) {
    std::string_view name;
    ok = sizes.ReadCount(&size) && in.ReadText(size, &name);
    take_name(name);
  }
  uint8_t end = 1;
  ok = ok && in.ReadText(module_size, &view->module_text) && in.ReadByte(&end) && end == 0;
  return ok ? in.position() : 0;
}

}  // namespace

size_t SymbolRefBytes::DecodeChecked(std::span<const uint8_t> bytes, bool with_names,
                                     SymbolRefView* view) {
  uint32_t num_nested;
  size_t size = ScanSymbolRef(bytes, view, &num_nested, [](std::string_view) {});
  if (size == 0 || !with_names) return size;
  // Twice, so that no memory is asked for before the names are known to be there.
  view->nested.reserve(num_nested);
  return ScanSymbolRef(bytes, view, &num_nested,
                       [&](std::string_view name) { view->nested.push_back(name); });
}

SymbolRefView SymbolRefBytes::Decode(const uint8_t* data) {
  SymbolRefView view;
  // The end is in the bytes, which are intact: no bound is needed.
  DecodeChecked({data, std::numeric_limits<uint32_t>::max()}, true, &view);
  return view;
}

size_t EncodedSize(TypeCode code, const uint8_t* data) {
  switch (code) {
    case TypeCode::kString:
      return CountedBytes::SizeBytes(CountedBytes::Count(data), 1);
    case TypeCode::kShape:
      return ShapeBytes::IsRanked(data) ? ShapeBytes::SizeBytes(ShapeBytes::Rank(data))
                                        : ShapeBytes::kUnrankedBytes;
    case TypeCode::kDense:
      return DenseBytes::SizeBytes(data);
    case TypeCode::kAggregate:
      return AggregateBytes::SizeBytes(data);
    default:
      break;
  }
  if (!IsArrayCode(code)) return ElementSize(code);
  return CountedBytes::SizeBytes(CountedBytes::Count(data), ElementSize(ArrayElement(code)));
}

Placement PlacementOf(TypeCode code, const uint8_t* data) {
  switch (code) {
    case TypeCode::kString:
      return CountedBytes::PlacementFor(1);
    case TypeCode::kShape:
      return ShapeBytes::IsRanked(data) ? ShapeBytes::kPlacement : ShapeBytes::kUnrankedPlacement;
    case TypeCode::kDense:
      return DenseBytes::kPlacement;
    case TypeCode::kAggregate:
      return {(16 - reinterpret_cast<uintptr_t>(data) % 16) % 16, 16};
    default:
      break;
  }
  if (IsArrayCode(code)) return CountedBytes::PlacementFor(ElementSize(ArrayElement(code)));
  size_t size = ElementSize(code);
  return ScalarPlacement(size == 0 ? 1 : size);
}

}  // namespace tfrt::bef
