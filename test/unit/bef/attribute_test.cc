// Encoding (bytes by hand from docs/reference/bef_format.md) and typed reads of attributes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "lib/format/bef/attribute_reader.h"
#include "test/unit/bef/bytes_from_text.h"
#include "tfrt/bef/attribute_encoder.h"

namespace tfrt::bef {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Encoded bytes, at an address aligned by 64.
class Payload {
 public:
  explicit Payload(const std::vector<uint8_t>& bytes)
      : size_(bytes.size()), memory_(new (std::align_val_t(64)) uint8_t[bytes.size() + 1]) {
    std::copy(bytes.begin(), bytes.end(), memory_.get());
  }
  AttributeBytes bytes() const { return {memory_.get(), size_}; }
  uint8_t& operator[](size_t i) { return memory_.get()[i]; }

 private:
  struct Free {
    void operator()(uint8_t* p) const { operator delete[](p, std::align_val_t(64)); }
  };
  size_t size_;
  std::unique_ptr<uint8_t, Free> memory_;
};

struct Encoded {
  std::vector<uint8_t> bytes;
  uint32_t offset = 0;
};

// Encodes behind one byte 'ee', so that padding shows.
Encoded Encode(const AttributeValue& value) {
  Buffer buffer;
  buffer.EmitByte(0xEE);
  StatusOr<uint32_t> offset = EncodeAttribute(value, &buffer);
  EXPECT_TRUE(offset.ok()) << offset.status().ToString();
  if (!offset.ok()) return {};
  Payload payload(buffer.bytes());
  StatusOr<uint32_t> end = VerifyAttribute(payload.bytes(), *offset, EncodedType(value));
  EXPECT_TRUE(end.ok()) << end.status().ToString();
  if (end.ok()) {
    EXPECT_EQ(*end, buffer.size());
  }
  return {buffer.bytes(), *offset};
}

std::string EncodeError(const AttributeValue& value) {
  Buffer buffer;
  StatusOr<uint32_t> offset = EncodeAttribute(value, &buffer);
  return offset.ok() ? "" : std::string(offset.status().message());
}

TEST(EncodeAttribute, Scalars) {
  EXPECT_EQ(Encode(BoolAttribute(true)).bytes, Bytes("ee 01"));
  EXPECT_EQ(Encode(ScalarAttribute(TypeCode::kI8, 0xFFFF)).bytes, Bytes("ee ff"));
  EXPECT_EQ(Encode(ScalarAttribute(TypeCode::kUI16, 3)).bytes, Bytes("ee cc 03 00"));
  EXPECT_EQ(Encode(ScalarAttribute(TypeCode::kBF16, 0x3F80)).bytes, Bytes("ee cc 80 3f"));
  EXPECT_EQ(Encode(I32Attribute(-1)).bytes, Bytes("ee cc cc cc ffffffff"));
  EXPECT_EQ(Encode(F32Attribute(1.5f)).bytes, Bytes("ee cc cc cc 3fc00000"));
  Encoded f64 = Encode(F64Attribute(1.0));
  EXPECT_EQ(f64.bytes, Bytes("ee cc cc cc cc cc cc cc 00000000 3ff00000"));
  EXPECT_EQ(f64.offset, 8u);
}

TEST(EncodeAttribute, StringsAndTypes) {
  EXPECT_EQ(Encode(StringAttribute("ab")).bytes, Bytes("ee cc cc cc 00000002 'ab'"));
  EXPECT_EQ(Encode(StringAttribute("")).bytes, Bytes("ee cc cc cc 00000000"));
  EXPECT_EQ(Encode(TypeAttribute(TypeCode::kQI32)).bytes, Bytes("ee 17"));
}

TEST(EncodeAttribute, Shapes) {
  EXPECT_EQ(Encode(UnrankedShapeAttribute()).bytes, Bytes("ee cc cc cc 00000000"));
  Encoded shape = Encode(ShapeAttribute({2, -1}));
  EXPECT_EQ(shape.offset, 4u);
  EXPECT_EQ(shape.bytes, Bytes("ee cc cc cc 08 00 0c 00 0000001c 00000002"
                               " 00000002 00000000 ffffffff ffffffff"));
  EXPECT_EQ(Encode(ShapeAttribute({})).bytes, Bytes("ee cc cc cc 08 00 0c 00 0000000c 00000000"));
}

TEST(EncodeAttribute, Dense) {
  Encoded dense = Encode(DenseAttribute(TypeCode::kI32, {2}, Bytes("00000007 00000008")));
  EXPECT_EQ(dense.offset, 4u);
  EXPECT_EQ(dense.bytes, Bytes("ee cc cc cc 08 08 1c 00 00000024 0000001c 00000002 00000001"
                               " 00000002 00000000 00000007 00000008"));
  EXPECT_EQ(Encode(DenseAttribute(TypeCode::kI1, {}, {1})).bytes,
            Bytes("ee cc cc cc 08 05 14 00 00000015 00000014 00000001 00000000 01"));
}

TEST(EncodeAttribute, Arrays) {
  EXPECT_EQ(Encode(ArrayAttribute({})).bytes, Bytes("ee cc cc cc 00000000"));
  EXPECT_EQ(EncodedType(ArrayAttribute({})), TypeCode::kEmptyArray);
  AttributeValue i32s = ArrayAttribute({I32Attribute(1), I32Attribute(2)});
  EXPECT_EQ(EncodedType(i32s), ArrayOf(TypeCode::kI32));
  EXPECT_EQ(Encode(i32s).bytes, Bytes("ee cc cc cc 00000002 00000001 00000002"));
  AttributeValue i64s = ArrayAttribute({I64Attribute(1)});
  EXPECT_EQ(Encode(i64s).offset, 4u);
  EXPECT_EQ(Encode(i64s).bytes, Bytes("ee cc cc cc 00000001 00000001 00000000"));
  AttributeValue types = ArrayAttribute({TypeAttribute(TypeCode::kF32)});
  EXPECT_EQ(EncodedType(types), static_cast<TypeCode>(153));
  EXPECT_EQ(Encode(types).bytes, Bytes("ee cc cc cc 00000001 0a"));
}

TEST(EncodeAttribute, Aggregates) {
  // Two elements: A = 4, header of 20 bytes; then "a" behind its type code, then i1 behind its.
  Encoded mixed = Encode(ArrayAttribute({StringAttribute("a"), BoolAttribute(true)}));
  EXPECT_EQ(mixed.offset, 4u);
  EXPECT_EQ(mixed.bytes, Bytes("ee cc cc cc 04 00 14 00 0000001f 00000002 00000018 0000001e"
                               " cc cc cc 10 00000001 'a' 05 01"));
  // An array inside asks for 8: A = 8, header of 16 bytes, the element is an i32 array.
  Encoded nested = Encode(ArrayAttribute({ArrayAttribute({I32Attribute(5)})}));
  EXPECT_EQ(nested.offset, 8u);
  EXPECT_EQ(nested.bytes, Bytes("ee cc cc cc cc cc cc cc 08 00 10 00 0000001c 00000001 00000014"
                                " cc cc cc 88 00000001 00000005"));
}

TEST(EncodeAttribute, SymbolReference) {
  EXPECT_EQ(Encode(SymbolRefAttribute(0, "m", {"f", "gg"}, "text")).bytes,
            Bytes("ee 00 01 02 01 02 04 'm' 'f' 'gg' 'text' 00"));
}

TEST(EncodeAttribute, Errors) {
  EXPECT_EQ(EncodeError(ScalarAttribute(TypeCode::kComplex64, 0)),
            "the attribute has no BEF encoding");
  EXPECT_EQ(EncodeError(DenseAttribute(TypeCode::kI32, {3}, Bytes("00000001"))),
            "dense attribute of 3 elements of 4 bytes has 4 bytes of data");
  EXPECT_EQ(EncodeError(DenseAttribute(TypeCode::kI32, {-1}, {})),
            "dense dimension -1 is negative");
  std::vector<AttributeValue> many(16381, StringAttribute(""));
  EXPECT_EQ(EncodeError(ArrayAttribute(std::move(many))),
            "aggregate size 16381 is more than the format's 16380");
  EXPECT_EQ(EncodeError(DenseAttribute(TypeCode::kI8, std::vector<int64_t>(8190, 1), {1})),
            "dense rank 8190 is more than the format's 8189");
  AttributeValue deep = ArrayAttribute({StringAttribute("")});
  for (int i = 0; i < kMaxAggregateDepth; ++i) deep = ArrayAttribute({std::move(deep)});
  EXPECT_EQ(EncodeError(deep), "aggregate depth 129 is more than the format's 128");
}

TEST(EncodeAttributes, LargeConstantsLieAlignedInTheFile) {
  // String tables of all lengths, so that the payload starts everywhere; sizes around the edge
  // where the section's length takes one byte more (8192 bytes).
  for (size_t strings = 0; strings < 70; ++strings) {
    for (size_t data : {255u, 256u, 1000u, 8040u, 8104u, 8105u, 8112u, 8160u, 8192u}) {
      Buffer table;
      for (size_t i = 0; i < strings; ++i) table.EmitByte('x');
      FileWriter file;
      file.AppendSection(SectionId::kStrings, table);
      AttributeValue flag = BoolAttribute(true);
      AttributeValue dense = DenseAttribute(TypeCode::kI8, {static_cast<int64_t>(data)},
                                            std::vector<uint8_t>(data, 0x5A));
      AttributeValue nested = ArrayAttribute({StringAttribute("abc"), dense});
      std::vector<const AttributeValue*> values = {&flag, &dense, &nested};
      StatusOr<EncodedAttributes> encoded = EncodeAttributes(values, file, false);
      ASSERT_TRUE(encoded.ok());
      EXPECT_LE(encoded->payload.required_alignment(), 8u);
      size_t start =
          file.PayloadPosition(encoded->payload.size(), encoded->payload.required_alignment());
      Payload payload(encoded->payload.bytes());
      StatusOr<DenseView> view = ReadDense(payload.bytes(), encoded->offsets[1]);
      ASSERT_TRUE(view.ok()) << view.status().ToString();
      size_t position = start + (view->data.data() - payload.bytes().data());
      EXPECT_EQ(view->data.size(), data);
      EXPECT_EQ(position % (data >= 256 ? 64 : 8), 0u) << strings << " " << data;
      StatusOr<std::vector<AggregateElement>> elements =
          ReadAggregate(payload.bytes(), encoded->offsets[2]);
      ASSERT_TRUE(elements.ok());
      view = ReadDense(payload.bytes(), (*elements)[1].offset);
      ASSERT_TRUE(view.ok());
      position = start + (view->data.data() - payload.bytes().data());
      EXPECT_EQ(position % (data >= 256 ? 64 : 8), 0u) << strings << " " << data;

      StatusOr<EncodedAttributes> exact = EncodeAttributes(values, file, true);
      ASSERT_TRUE(exact.ok());
      EXPECT_EQ(exact->offsets[1], 4u);
    }
  }
}

TEST(ReadAttribute, GivesWhatWasEncoded) {
  Encoded e = Encode(F64Attribute(-2.5));
  Payload f64(e.bytes);
  EXPECT_EQ(std::bit_cast<double>(*ReadScalar(f64.bytes(), e.offset, TypeCode::kF64)), -2.5);

  e = Encode(StringAttribute("hello"));
  Payload text(e.bytes);
  EXPECT_EQ(*ReadString(text.bytes(), e.offset), "hello");

  e = Encode(TypeAttribute(TypeCode::kVariant));
  Payload type(e.bytes);
  EXPECT_EQ(*ReadType(type.bytes(), e.offset), TypeCode::kVariant);

  e = Encode(ShapeAttribute({3, -1}));
  Payload shape(e.bytes);
  EXPECT_THAT(ReadShape(shape.bytes(), e.offset)->dims, ElementsAre(3, -1));
  e = Encode(UnrankedShapeAttribute());
  Payload unranked(e.bytes);
  EXPECT_FALSE(ReadShape(unranked.bytes(), e.offset)->ranked);

  e = Encode(ArrayAttribute({I64Attribute(4), I64Attribute(-5)}));
  Payload array(e.bytes);
  EXPECT_THAT(ReadArray(array.bytes(), e.offset, ArrayOf(TypeCode::kI64))->As<int64_t>(),
              ElementsAre(4, -5));

  e = Encode(ArrayAttribute({StringAttribute("x"), ArrayAttribute({})}));
  Payload aggregate(e.bytes);
  auto elements = ReadAggregate(aggregate.bytes(), e.offset);
  ASSERT_TRUE(elements.ok());
  ASSERT_EQ(elements->size(), 2u);
  EXPECT_EQ((*elements)[0].code, TypeCode::kString);
  EXPECT_EQ(*ReadString(aggregate.bytes(), (*elements)[0].offset), "x");
  EXPECT_EQ((*elements)[1].code, TypeCode::kEmptyArray);

  e = Encode(SymbolRefAttribute(3, "m", {"f"}, "module {}"));
  Payload symbol(e.bytes);
  auto reference = ReadSymbolRef(symbol.bytes(), e.offset);
  ASSERT_TRUE(reference.ok());
  EXPECT_EQ(reference->number, 3u);
  EXPECT_EQ(reference->root, "m");
  EXPECT_THAT(reference->nested, ElementsAre("f"));
  EXPECT_EQ(reference->module_text, "module {}");
}

// One row per way in which bytes can be wrong.
TEST(ReadAttribute, Errors) {
  auto message = [](const char* text, auto read) {
    Payload payload(Bytes(text));
    auto result = read(payload.bytes());
    return result.ok() ? std::string() : std::string(result.status().message());
  };
  auto i32 = [](AttributeBytes b) { return ReadScalar(b, 0, TypeCode::kI32); };
  EXPECT_EQ(message("01 02 03", i32),
            "i32 attribute at offset 0 of 4 bytes runs past the end of the section (3 bytes)");
  EXPECT_EQ(message("", [](AttributeBytes b) { return ReadScalar(b, 4096, TypeCode::kI8); }),
            "i8 attribute at offset 4096 of 1 bytes runs past the end of the section (0 bytes)");
  EXPECT_EQ(message("00000000 00000000",
                    [](AttributeBytes b) { return ReadScalar(b, 2, TypeCode::kI32); }),
            "i32 attribute at offset 2 is not aligned by 4");
  EXPECT_EQ(message("02", [](AttributeBytes b) { return ReadScalar(b, 0, TypeCode::kI1); }),
            "i1 attribute at offset 0 holds 2, neither 0 nor 1");
  EXPECT_EQ(message("00", [](AttributeBytes b) { return ReadScalar(b, 0, TypeCode::kString); }),
            "type code 16 is not that of a scalar attribute");
  auto string = [](AttributeBytes b) { return ReadString(b, 0); };
  EXPECT_EQ(message("ffffffff", string),
            "string attribute at offset 0 of 4294967299 bytes runs past the end of the section (4 "
            "bytes)");
  EXPECT_EQ(message("18", [](AttributeBytes b) { return ReadType(b, 0); }),
            "type attribute at offset 0 holds the unknown type code 24");

  auto shape = [](AttributeBytes b) { return ReadShape(b, 4); };
  EXPECT_EQ(message("00000000 08 00 0c 00 0000000d 00000000", shape),
            "shape attribute at offset 4 has a damaged header");
  EXPECT_EQ(message("00000000 08 00 0c 00 00000014 00000001", shape),
            "shape attribute at offset 4 of 20 bytes runs past the end of the section (16 bytes)");
  EXPECT_EQ(message("00000000 08 00 0c 00 00000014 00000001 fffffffe ffffffff", shape),
            "shape attribute at offset 4 has the dimension -2");

  auto dense = [](AttributeBytes b) { return ReadDense(b, 4); };
  EXPECT_EQ(message("00000000 08 10 14 00 00000015 00000014 00000001 00000000 01", dense),
            "dense attribute at offset 4 has the unknown element type code 16");
  EXPECT_EQ(message("00000000 04 06 14 00 00000015 00000014 00000001 00000000 01", dense),
            "dense attribute at offset 4 has a damaged header");
  EXPECT_EQ(message("00000000 08 05 14 00 00000015 00000014 00000001 00000000 02", dense),
            "dense attribute at offset 4 holds 2 as element 0 of i1");
  EXPECT_EQ(message("00000000 08 06 14 00 00000016 00000014 00000001 00000000 01", dense),
            "dense attribute at offset 4 needs 21 bytes but says 22");
  EXPECT_EQ(message("00000000 08 06 14 00 00000015 00000014 00000002 00000000 01", dense),
            "dense attribute at offset 4 has dimensions for 1 elements but says 2");
  EXPECT_EQ(
      message("00000000 08 06 1c 00 0000001d 0000001c 00000001 00000001 ffffffff ffffffff", dense),
      "dense attribute at offset 4 has the dimension -1");
  EXPECT_EQ(message("00000000 08 06 24 00 00000024 00000024 00000000 00000002"
                    " 00000000 00000001 00000000 7fffffff",
                    dense),
            "dense attribute at offset 4 has more elements than 64 bits can count");

  auto i1s = [](AttributeBytes b) { return ReadArray(b, 0, ArrayOf(TypeCode::kI1)); };
  EXPECT_EQ(message("00000001 03", i1s),
            "array attribute at offset 0 holds 3 as an element of an i1 array");
  EXPECT_EQ(
      message("40000000", i1s),
      "array attribute at offset 0 of 1073741828 bytes runs past the end of the section (4 bytes)");
  EXPECT_EQ(message("00", [](AttributeBytes b) { return ReadArray(b, 0, TypeCode::kI32); }),
            "type code 8 is not that of an array attribute");

  auto aggregate = [](AttributeBytes b) { return ReadAggregate(b, 0); };
  EXPECT_EQ(message("04 00 14 00 00000010 00000001 00000010", aggregate),
            "aggregate attribute at offset 0 has a damaged header");
  EXPECT_EQ(message("04 00 10 00 00000012 00000001 00000010 05 01", aggregate),
            "aggregate attribute at offset 0 has element 0 at byte 16 of 18");
  EXPECT_EQ(message("01 01 05 00", [](AttributeBytes b) { return ReadSymbolRef(b, 0); }),
            "symbol reference attribute at offset 0 is damaged");

  auto verify = [](AttributeBytes b) { return VerifyAttribute(b, 0, TypeCode::kAggregate); };
  EXPECT_EQ(message("04 00 10 00 00000012 00000001 00000011 18 01", verify),
            "attribute at offset 17 has the unknown type code 24");
  EXPECT_EQ(message("04 00 10 00 00000015 00000001 00000014 cc cc cc 10 00000000", verify),
            "aggregate attribute at offset 0 ends at offset 21 but an element at 24");
  EXPECT_EQ(
      message("04 00 14 00 0000001d 00000002 00000018 00000019 cc cc cc 10 00000001 'a'", verify),
      "aggregate attribute at offset 0 has an element at offset 25 inside the one before");
}

TEST(VerifyAttribute, LimitsDepth) {
  // Each level: a header of 16 bytes and a code byte in front of the next; bytes 17.. pad to 20.
  constexpr int kLevels = kMaxAggregateDepth + 1;
  Buffer buffer;
  for (int level = 0; level < kLevels; ++level) {
    buffer.EmitByte(4);
    buffer.EmitByte(0);
    buffer.EmitU16(16);
    buffer.EmitU32(static_cast<uint32_t>(20 * (kLevels - level)));
    buffer.EmitU32(1);
    buffer.EmitU32(20);
    buffer.EmitU32(0x1E000000);
  }
  buffer.EmitU32(0);
  Payload payload(buffer.bytes());
  StatusOr<uint32_t> end = VerifyAttribute(payload.bytes(), 0, TypeCode::kAggregate);
  ASSERT_FALSE(end.ok());
  EXPECT_THAT(end.status().message(), HasSubstr("is nested more than 128 deep"));
}

TEST(AttributeValue, EqualityLooksAtTheType) {
  EXPECT_EQ(I32Attribute(1), I32Attribute(1));
  EXPECT_EQ(HashValue(I32Attribute(1)), HashValue(I32Attribute(1)));
  EXPECT_FALSE(I32Attribute(1) == ScalarAttribute(TypeCode::kI32, 1, "si32"));
  EXPECT_FALSE(StringAttribute("a") == StringAttribute("b"));
}

}  // namespace
}  // namespace tfrt::bef
