// Round trips of each kind through the codec, the same bytes from the writer of files, and what the
// checked reader makes of hostile bytes.

#include "tfrt/bef/attribute_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "lib/format/bef/attribute_reader.h"
#include "test/unit/bef/bytes_from_text.h"
#include "tfrt/bef/attribute_encoder.h"

namespace tfrt::bef {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Memory of exactly `size` bytes that starts `misalignment` bytes behind a multiple of 16, so that
// sanitizers see each access behind it.
class Memory {
 public:
  Memory(size_t size, size_t misalignment)
      : misalignment_(misalignment),
        size_(size),
        bytes_(new (std::align_val_t(16)) uint8_t[misalignment + size]) {}
  uint8_t* data() { return bytes_.get() + misalignment_; }
  AttributeBytes bytes() { return {data(), size_}; }

 private:
  struct Free {
    void operator()(uint8_t* p) const { operator delete[](p, std::align_val_t(16)); }
  };
  size_t misalignment_, size_;
  std::unique_ptr<uint8_t, Free> bytes_;
};

// What the writer of files makes of `value`.
struct Written {
  std::vector<uint8_t> bytes;
  uint32_t offset = 0;
  TypeCode code = TypeCode::kUnsupported;

  std::vector<uint8_t> value() const { return {bytes.begin() + offset, bytes.end()}; }
};
Written Write(const AttributeValue& value) {
  Buffer buffer;
  buffer.EmitByte(0xEE);
  StatusOr<uint32_t> offset = EncodeAttribute(value, &buffer);
  EXPECT_TRUE(offset.ok()) << offset.status().ToString();
  return {buffer.bytes(), offset.ok() ? *offset : 0, EncodedType(value)};
}

// The bytes at `data` are those of files, lie where they may, and are as long as they say.
void ExpectAsWritten(const AttributeValue& value, const uint8_t* data, size_t size) {
  Written written = Write(value);
  EXPECT_EQ(std::vector<uint8_t>(data, data + size), written.value());
  EXPECT_EQ(EncodedSize(written.code, data), size);
  Placement at = PlacementOf(written.code, data);
  EXPECT_EQ(at.AtOrAfter(written.offset), written.offset);
}

TEST(AttributeCodec, Placements) {
  EXPECT_EQ((Placement{0, 4}.AtOrAfter(5)), 8u);
  EXPECT_EQ((Placement{0, 1}.AtOrAfter(5)), 5u);
  EXPECT_EQ((Placement{4, 8}.AtOrAfter(4)), 4u);
  EXPECT_EQ((Placement{12, 8}.AtOrAfter(0)), 4u);
  EXPECT_EQ((Placement{20, 16}.AtOrAfter(13)), 28u);
}

TEST(AttributeCodec, Scalars) {
  Memory memory(8, 0);
  StoreNumber(memory.data(), -2.5);
  EXPECT_EQ(LoadNumber<double>(memory.data()), -2.5);
  ExpectAsWritten(F64Attribute(-2.5), memory.data(), 8);
}

TEST(AttributeCodec, Strings) {
  Memory memory(CountedBytes::SizeBytes(2, 1), 0);
  std::memcpy(CountedBytes::Encode(2, memory.data()), "ab", 2);
  EXPECT_EQ(CountedBytes::Count(memory.data()), 2u);
  EXPECT_EQ(CountedBytes::Elements(memory.data())[1], 'b');
  ExpectAsWritten(StringAttribute("ab"), memory.data(), 6);
}

TEST(AttributeCodec, Arrays) {
  const int64_t values[] = {4, -5};
  Memory memory(CountedBytes::SizeBytes(2, 8), CountedBytes::PlacementFor(8).AtOrAfter(0));
  std::memcpy(CountedBytes::Encode(2, memory.data()), values, sizeof(values));
  ExpectAsWritten(ArrayAttribute({I64Attribute(4), I64Attribute(-5)}), memory.data(), 20);
  EXPECT_FALSE(IsEmptyArray(ArrayOf(TypeCode::kI64), memory.data()));
  Memory none(CountedBytes::kHeaderBytes, 0);
  CountedBytes::Encode(0, none.data());
  ExpectAsWritten(ArrayAttribute({}), none.data(), 4);
  EXPECT_TRUE(IsEmptyArray(TypeCode::kEmptyArray, none.data()));
  EXPECT_EQ(AggregateBytes::CountIfAny(none.data()), 0u);
}

TEST(AttributeCodec, Shapes) {
  const std::vector<int64_t> dims = {2, -1};
  Memory memory(ShapeBytes::SizeBytes(2), ShapeBytes::kPlacement.AtOrAfter(0));
  ShapeBytes::Encode(dims, memory.data());
  EXPECT_TRUE(ShapeBytes::IsRanked(memory.data()));
  EXPECT_TRUE(ShapeBytes::IsIntact(memory.data()));
  EXPECT_THAT(ShapeBytes::Dims(memory.data()), ElementsAre(2, -1));
  ExpectAsWritten(ShapeAttribute(dims), memory.data(), 28);
  Memory scalar(ShapeBytes::SizeBytes(0), 4);
  ShapeBytes::Encode({}, scalar.data());
  EXPECT_THAT(ShapeBytes::Dims(scalar.data()), IsEmpty());
  ExpectAsWritten(ShapeAttribute({}), scalar.data(), 12);
  Memory unranked(ShapeBytes::kUnrankedBytes, 0);
  ShapeBytes::EncodeUnranked(unranked.data());
  EXPECT_FALSE(ShapeBytes::IsRanked(unranked.data()));
  ExpectAsWritten(UnrankedShapeAttribute(), unranked.data(), 4);
}

TEST(AttributeCodec, DenseConstants) {
  const std::vector<int64_t> dims = {1, 3};
  const std::vector<uint8_t> elements = {1, 0, 2, 0, 3, 0};
  Memory memory(DenseBytes::PrefixBytes(2) + 6, DenseBytes::kPlacement.AtOrAfter(0));
  DenseBytes::Encode(TypeCode::kI16, dims, elements, memory.data());
  EXPECT_TRUE(DenseBytes::IsIntact(memory.data()));
  EXPECT_EQ(DenseBytes::Element(memory.data()), TypeCode::kI16);
  EXPECT_EQ(DenseBytes::NumElements(memory.data()), 3u);
  EXPECT_THAT(DenseBytes::Dims(memory.data()), ElementsAre(1, 3));
  EXPECT_THAT(DenseBytes::Elements(memory.data()), ElementsAre(1, 0, 2, 0, 3, 0));
  ExpectAsWritten(DenseAttribute(TypeCode::kI16, dims, elements), memory.data(), 42);
}

TEST(AttributeCodec, Aggregates) {
  AttributeValue value = ArrayAttribute({StringAttribute("a"), BoolAttribute(true)});
  Written written = Write(value);
  const uint8_t* data = written.bytes.data() + written.offset;
  EXPECT_TRUE(AggregateBytes::IsIntact(data));
  ASSERT_EQ(AggregateBytes::Count(data), 2u);
  EXPECT_EQ(AggregateBytes::CountIfAny(data), 2u);
  const uint8_t* text = data + AggregateBytes::Offset(data, 0);
  EXPECT_EQ(AggregateBytes::Code(text), TypeCode::kString);
  EXPECT_EQ(CountedBytes::Elements(text)[0], 'a');
  const uint8_t* flag = data + AggregateBytes::Offset(data, 1);
  EXPECT_EQ(AggregateBytes::Code(flag), TypeCode::kI1);
  EXPECT_EQ(*flag, 1);
  EXPECT_EQ(EncodedSize(TypeCode::kAggregate, data), written.value().size());
  // A copy lies as the original modulo 16, whatever its header says.
  Memory memory(written.bytes.size(), 0);
  std::copy(written.bytes.begin(), written.bytes.end(), memory.data());
  Placement at = PlacementOf(TypeCode::kAggregate, memory.data() + written.offset);
  EXPECT_EQ(at.AtOrAfter(1) % 16, written.offset % 16);
}

TEST(AttributeCodec, SymbolReferences) {
  Buffer buffer;
  SymbolRefBytes::Encode({300, "m", {"f", "gg"}, "text"}, &buffer);
  EXPECT_EQ(buffer.bytes(), Write(SymbolRefAttribute(300, "m", {"f", "gg"}, "text")).value());
  SymbolRefView view = SymbolRefBytes::Decode(buffer.bytes().data());
  EXPECT_EQ(view.number, 300u);
  EXPECT_EQ(view.root, "m");
  EXPECT_THAT(view.nested, ElementsAre("f", "gg"));
  EXPECT_EQ(view.module_text, "text");
  SymbolRefView without_names;
  EXPECT_EQ(SymbolRefBytes::DecodeChecked(buffer.bytes(), false, &without_names), buffer.size());
  EXPECT_THAT(without_names.nested, IsEmpty());
  for (size_t size = 0; size < buffer.size(); ++size) {
    EXPECT_EQ(SymbolRefBytes::DecodeChecked({buffer.bytes().data(), size}, true, &view), 0u);
  }
}

std::vector<AttributeValue> OneOfEachKind() {
  AttributeValue dense = DenseAttribute(TypeCode::kI1, {2, 2}, std::vector<uint8_t>{1, 0, 0, 1});
  AttributeValue i64s = ArrayAttribute({I64Attribute(7), I64Attribute(8)});
  return {
      BoolAttribute(true),
      I64Attribute(-1),
      StringAttribute("text"),
      TypeAttribute(TypeCode::kF32),
      ShapeAttribute({2, -1}),
      UnrankedShapeAttribute(),
      dense,
      i64s,
      ArrayAttribute({TypeAttribute(TypeCode::kI32)}),
      ArrayAttribute({}),
      SymbolRefAttribute(1, "m", {"f"}, "module {}"),
      ArrayAttribute({StringAttribute("a"), dense, ArrayAttribute({i64s, BoolAttribute(false)})})};
}

// Reads all that unchecked decode functions reach, so that sanitizers see an access outside.
size_t TouchAll(TypeCode code, const uint8_t* data) {
  size_t sum = 0;
  auto touch = [&](const auto& span) {
    for (auto element : span) sum += static_cast<size_t>(element);
  };
  switch (code) {
    case TypeCode::kSymbolRef:
      touch(SymbolRefBytes::Decode(data).module_text);
      return sum;
    case TypeCode::kShape:
      if (ShapeBytes::IsRanked(data)) touch(ShapeBytes::Dims(data));
      break;
    case TypeCode::kDense:
      touch(DenseBytes::Dims(data));
      touch(DenseBytes::Elements(data));
      break;
    case TypeCode::kAggregate:
      for (size_t i = 0; i < AggregateBytes::Count(data); ++i) {
        const uint8_t* element = data + AggregateBytes::Offset(data, i);
        sum += TouchAll(AggregateBytes::Code(element), element);
      }
      break;
    default:
      break;
  }
  touch(std::span(data, EncodedSize(code, data)));
  return sum;
}

// Bytes that the checked reader accepts are safe for the unchecked functions, which agree on the
// size. The sum keeps the reads.
size_t CheckThenTouch(AttributeBytes bytes, uint32_t offset, TypeCode code) {
  StatusOr<uint32_t> end = VerifyAttribute(bytes, offset, code);
  if (!end.ok()) {
    EXPECT_FALSE(end.status().message().empty());
    return 0;
  }
  EXPECT_LE(*end, bytes.size());
  const uint8_t* data = bytes.data() + offset;
  if (code != TypeCode::kSymbolRef) {
    EXPECT_EQ(EncodedSize(code, data), *end - offset);
  }
  return TouchAll(code, data);
}

TEST(HostileAttributes, EveryTruncation) {
  for (const AttributeValue& value : OneOfEachKind()) {
    Written written = Write(value);
    for (size_t size = written.offset; size < written.bytes.size(); ++size) {
      Memory memory(size, 0);
      std::copy_n(written.bytes.begin(), size, memory.data());
      EXPECT_FALSE(VerifyAttribute(memory.bytes(), written.offset, written.code).ok())
          << TypeCodeName(written.code) << " of " << size << " bytes";
    }
  }
}

TEST(HostileAttributes, EveryChangedByte) {
  size_t sum = 0;
  for (const AttributeValue& value : OneOfEachKind()) {
    Written written = Write(value);
    Memory memory(written.bytes.size(), 0);
    std::copy(written.bytes.begin(), written.bytes.end(), memory.data());
    for (size_t i = 0; i < written.bytes.size(); ++i) {
      for (int byte = 0; byte < 256; ++byte) {
        memory.data()[i] = static_cast<uint8_t>(byte);
        sum += CheckThenTouch(memory.bytes(), written.offset, written.code);
      }
      memory.data()[i] = written.bytes[i];
    }
  }
  EXPECT_GT(sum, 0u);
}

TEST(HostileAttributes, EveryKindAtEveryOffset) {
  size_t sum = 0;
  for (const AttributeValue& value : OneOfEachKind()) {
    Written written = Write(value);
    Memory memory(written.bytes.size(), 0);
    std::copy(written.bytes.begin(), written.bytes.end(), memory.data());
    for (uint32_t offset = 0; offset <= written.bytes.size() + 1; ++offset) {
      for (int code = 0; code < 256; ++code) {
        sum += CheckThenTouch(memory.bytes(), offset, static_cast<TypeCode>(code));
      }
    }
  }
  EXPECT_GT(sum, 0u);
}

TEST(HostileAttributes, RandomBytes) {
  std::mt19937 random(1);
  size_t sum = 0;
  for (int round = 0; round < 20000; ++round) {
    Memory memory(48, 0);
    // Mostly small numbers, as headers have them.
    for (uint8_t& byte : std::span(memory.data(), 48)) {
      byte = static_cast<uint8_t>(random() % 3 == 0 ? random() : random() % 4 * 4);
    }
    constexpr TypeCode kCodes[] = {
        TypeCode::kString,    TypeCode::kShape,     TypeCode::kDense,       TypeCode::kI1,
        TypeCode::kAggregate, TypeCode::kSymbolRef, ArrayOf(TypeCode::kI64)};
    sum += CheckThenTouch(memory.bytes(), random() % 4 * 4, kCodes[random() % std::size(kCodes)]);
  }
  EXPECT_GT(sum, 0u);
}

}  // namespace
}  // namespace tfrt::bef
