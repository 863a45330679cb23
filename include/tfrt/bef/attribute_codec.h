// The bytes of attributes, kind by kind (docs/reference/bef_format.md, "Attributes"). They define
// the positions of a value's fields, its size in bytes and its alignment. All code that writes or
// reads attributes uses these functions. That is the writer and the checked reader of files, the
// views of kernels, and the attributes of eager ops.
//
// Decode functions check nothing. They are for bytes that attribute_reader.h has checked, or that
// the encode functions here have made. The argument `data` is a value's first byte. All functions
// are thread-safe and own nothing.
#ifndef TFRT_BEF_ATTRIBUTE_CODEC_H_
#define TFRT_BEF_ATTRIBUTE_CODEC_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "tfrt/bef/bef_format.h"

namespace tfrt::bef {

class Buffer;

static_assert(std::endian::native == std::endian::little, "attributes are read as they lie");

// Loads a number from any address.
template <typename T>
T LoadNumber(const uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}
template <typename T>
void StoreNumber(uint8_t* to, T value) {
  std::memcpy(to, &value, sizeof(T));
}

// Determines where a value may start. The byte `offset` bytes after its first must lie at a
// multiple of `alignment`, a power of two.
struct Placement {
  size_t offset = 0;
  size_t alignment = 1;

  // Returns the first such start that is not before `position`.
  constexpr size_t AtOrAfter(size_t position) const {
    return (position + offset + alignment - 1) / alignment * alignment - offset;
  }
};

// --- Integers and floats: the value itself.
constexpr Placement ScalarPlacement(size_t size) { return {0, size}; }

// --- Strings, and arrays of scalars or types: a count, then the elements.
struct CountedBytes {
  static constexpr size_t kHeaderBytes = 4;

  static uint32_t Count(const uint8_t* data) { return LoadNumber<uint32_t>(data); }
  static const uint8_t* Elements(const uint8_t* data) { return data + kHeaderBytes; }
  static constexpr uint64_t SizeBytes(uint64_t count, size_t element_size) {
    return kHeaderBytes + count * element_size;
  }
  static constexpr Placement PlacementFor(size_t element_size) {
    return element_size > 4 ? Placement{kHeaderBytes, element_size} : Placement{0, 4};
  }
  // Writes the count and returns where to write the elements.
  static uint8_t* Encode(uint32_t count, uint8_t* to) {
    StoreNumber(to, count);
    return to + kHeaderBytes;
  }
};

// --- Shapes: for an unknown rank, a word that is 0; otherwise a header, then the dimensions.
struct ShapeBytes {
  static constexpr size_t kUnrankedBytes = 4;
  static constexpr Placement kUnrankedPlacement = {0, 4};
  static constexpr size_t kHeaderBytes = 12;
  static constexpr Placement kPlacement = {kHeaderBytes, 8};

  static bool IsRanked(const uint8_t* data) { return LoadNumber<uint32_t>(data) != 0; }
  static constexpr uint64_t SizeBytes(uint64_t rank) { return kHeaderBytes + 8 * rank; }
  static void EncodeUnranked(uint8_t* to) { StoreNumber(to, uint32_t{0}); }
  static void Encode(std::span<const int64_t> dims, uint8_t* to);

  // Returns the rank of a ranked shape.
  static uint32_t Rank(const uint8_t* data) { return LoadNumber<uint32_t>(data + 8); }
  static std::span<const int64_t> Dims(const uint8_t* data) {
    return {reinterpret_cast<const int64_t*>(data + kHeaderBytes), Rank(data)};
  }
  // Returns whether the header's other fields are right for this rank. Reads the header only.
  static bool IsIntact(const uint8_t* data);
};

// --- Dense constants: a header, the dimensions, the elements.
struct DenseBytes {
  static constexpr size_t kHeaderBytes = 20;
  static constexpr uint64_t kMaxRank = (0xFFFF - kHeaderBytes) / 8;  // the prefix has 16 bits

  // Returns the number of bytes in front of the elements.
  static constexpr uint64_t PrefixBytes(uint64_t rank) { return kHeaderBytes + 8 * rank; }
  static constexpr Placement kPlacement = {kHeaderBytes, 8};
  // Writes a whole constant, PrefixBytes(rank) + elements.size() bytes.
  static void Encode(TypeCode element, std::span<const int64_t> dims,
                     std::span<const uint8_t> elements, uint8_t* to);

  static TypeCode Element(const uint8_t* data) { return static_cast<TypeCode>(data[1]); }
  static uint32_t Rank(const uint8_t* data) { return LoadNumber<uint32_t>(data + 16); }
  static std::span<const int64_t> Dims(const uint8_t* data) {
    return {reinterpret_cast<const int64_t*>(data + kHeaderBytes), Rank(data)};
  }
  static uint32_t NumElements(const uint8_t* data) { return LoadNumber<uint32_t>(data + 12); }
  // Returns the size of the whole value.
  static uint32_t SizeBytes(const uint8_t* data) { return LoadNumber<uint32_t>(data + 4); }
  static std::span<const uint8_t> Elements(const uint8_t* data) {
    uint32_t prefix = LoadNumber<uint32_t>(data + 8);
    return {data + prefix, SizeBytes(data) - prefix};
  }
  // Returns whether the header's other fields are right for this rank. Reads the header only.
  static bool IsIntact(const uint8_t* data);
};

// --- Aggregates, arrays of anything: a header, the elements' offsets, then the elements, each
// with its type code in the byte before it.
struct AggregateBytes {
  static constexpr size_t kHeaderBytes = 12;
  static constexpr uint64_t kMaxCount = (0xFFFF - kHeaderBytes) / 4;  // the prefix has 16 bits

  // Returns the number of bytes in front of the elements.
  static constexpr uint64_t PrefixBytes(uint64_t count) { return kHeaderBytes + 4 * count; }
  // `alignment` is the largest alignment that an element needs.
  static constexpr Placement PlacementFor(uint64_t count, size_t alignment) {
    return {PrefixBytes(count), alignment};
  }
  // Writes the prefix without the sizes and offsets, which are not known yet.
  static void EncodePrefix(uint32_t count, size_t alignment, uint8_t* to);
  static constexpr size_t kSizeBytesAt = 4;
  static constexpr size_t OffsetAt(size_t index) { return kHeaderBytes + 4 * index; }

  static uint32_t SizeBytes(const uint8_t* data) {
    return LoadNumber<uint32_t>(data + kSizeBytesAt);
  }
  static uint32_t Count(const uint8_t* data) { return LoadNumber<uint32_t>(data + 8); }
  // As Count, for a value that may be an empty array. Its first word, the count, is 0; a header's
  // is not.
  static uint32_t CountIfAny(const uint8_t* data) {
    return LoadNumber<uint32_t>(data) == 0 ? 0 : Count(data);
  }
  // Returns the distance from the aggregate's first byte to the element's.
  static uint32_t Offset(const uint8_t* data, size_t index) {
    return LoadNumber<uint32_t>(data + OffsetAt(index));
  }
  static TypeCode Code(const uint8_t* element) { return static_cast<TypeCode>(element[-1]); }
  // Returns whether the prefix has the size for so many elements and fits the whole. Reads the
  // header only.
  static bool IsIntact(const uint8_t* data);
};

// --- References into a module kept as text. The texts point into the value.
struct SymbolRefView {
  uint64_t number = 0;
  std::string_view root;
  std::vector<std::string_view> nested;
  std::string_view module_text;
};
struct SymbolRefBytes {
  // Appends the value.
  static void Encode(const SymbolRefView& value, Buffer* to);
  // Reads a value at the start of `bytes`, which need not be intact. Returns the number of its
  // bytes, or 0 if it is damaged. Unless `with_names`, `nested` stays empty.
  static size_t DecodeChecked(std::span<const uint8_t> bytes, bool with_names, SymbolRefView* view);
  static SymbolRefView Decode(const uint8_t* data);
};

// Returns whether the value is an empty array, which has no element type. It is encoded as an array
// of i32 and may be read as an array of other elements, including aggregates.
inline bool IsEmptyArray(TypeCode code, const uint8_t* data) {
  return code == TypeCode::kEmptyArray && CountedBytes::Count(data) == 0;
}

// Returns the number of bytes of a value of any kind except a symbol reference.
size_t EncodedSize(TypeCode code, const uint8_t* data);

// Returns where a copy of this value may start. A copied aggregate starts where its elements keep
// their alignment modulo 16.
Placement PlacementOf(TypeCode code, const uint8_t* data);

}  // namespace tfrt::bef

#endif  // TFRT_BEF_ATTRIBUTE_CODEC_H_
