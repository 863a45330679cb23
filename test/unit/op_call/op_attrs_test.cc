#include "tfrt/core_runtime/op_attrs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tfrt/bef/attribute_encoder.h"

namespace tfrt {
namespace {

using testing::ElementsAre;

bool IsAligned(const void* data, size_t alignment) {
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}

template <typename T>
std::vector<T> Values(const OpAttrsRef& attrs, std::string_view name) {
  auto array = attrs.GetArray<T>(name);
  EXPECT_TRUE(array) << name;
  EXPECT_TRUE(IsAligned(array->data(), alignof(T))) << name;
  return std::vector<T>(array->begin(), array->end());
}

constexpr std::array<int64_t, 3> kInt64s = {1, -2, 3};
constexpr std::array<double, 2> kDoubles = {0.5, -0.5};
constexpr std::array<int8_t, 3> kBytes = {1, 2, 3};
constexpr std::array<int64_t, 2> kDims = {2, -1};
constexpr std::array<int64_t, 2> kDenseDims = {1, 2};
constexpr std::array<double, 2> kElements = {2.5, 3.5};

std::span<const uint8_t> ElementBytes() {
  return {reinterpret_cast<const uint8_t*>(kElements.data()), sizeof(kElements)};
}

// One attribute of each kind, 20 in all, and odd sizes in between.
void FillIn(OpAttrs* attrs) {
  EXPECT_TRUE(attrs->Set("bool", true));
  EXPECT_TRUE(attrs->Set("i8", int8_t{-8}));
  EXPECT_TRUE(attrs->Set("u8", uint8_t{200}));
  EXPECT_TRUE(attrs->Set("i16", int16_t{-16}));
  EXPECT_TRUE(attrs->Set("u16", uint16_t{16}));
  EXPECT_TRUE(attrs->Set("i32", int32_t{-32}));
  EXPECT_TRUE(attrs->Set("u32", uint32_t{32}));
  EXPECT_TRUE(attrs->SetString("string", "text"));
  EXPECT_TRUE(attrs->Set("i64", int64_t{-64}));
  EXPECT_TRUE(attrs->Set("u64", uint64_t{64}));
  EXPECT_TRUE(attrs->SetType("type", DType::kF16));
  EXPECT_TRUE(attrs->Set("f32", 0.25f));
  EXPECT_TRUE(attrs->Set("f64", 0.125));
  EXPECT_TRUE(attrs->SetArray<int8_t>("bytes", kBytes));
  EXPECT_TRUE(attrs->SetArray<int64_t>("int64s", kInt64s));
  EXPECT_TRUE(attrs->SetArray<double>("doubles", kDoubles));
  EXPECT_TRUE(attrs->SetFunction("function", "callee"));
  EXPECT_TRUE(attrs->SetShape("shape", kDims));
  EXPECT_TRUE(attrs->SetUnrankedShape("unranked"));
  EXPECT_TRUE(attrs->SetDense("dense", DType::kF64, kDenseDims, ElementBytes()));
}

void ExpectAll(const OpAttrsRef& attrs) {
  ASSERT_EQ(attrs.size(), 20u);
  EXPECT_EQ(attrs.Get<bool>("bool"), true);
  EXPECT_EQ(attrs.Get<int8_t>("i8"), -8);
  EXPECT_EQ(attrs.Get<uint8_t>("u8"), 200);
  EXPECT_EQ(attrs.Get<int16_t>("i16"), -16);
  EXPECT_EQ(attrs.Get<uint16_t>("u16"), 16);
  EXPECT_EQ(attrs.Get<int32_t>("i32"), -32);
  EXPECT_EQ(attrs.Get<uint32_t>("u32"), 32u);
  EXPECT_EQ(attrs.GetString("string"), "text");
  EXPECT_EQ(attrs.Get<int64_t>("i64"), -64);
  EXPECT_EQ(attrs.Get<uint64_t>("u64"), 64u);
  EXPECT_EQ(attrs.GetType("type"), DType::kF16);
  EXPECT_EQ(attrs.Get<float>("f32"), 0.25f);
  EXPECT_EQ(attrs.Get<double>("f64"), 0.125);
  EXPECT_THAT(Values<int8_t>(attrs, "bytes"), ElementsAre(1, 2, 3));
  EXPECT_THAT(Values<int64_t>(attrs, "int64s"), ElementsAre(1, -2, 3));
  EXPECT_THAT(Values<double>(attrs, "doubles"), ElementsAre(0.5, -0.5));
  EXPECT_EQ(attrs.GetFunction("function"), "callee");
  auto shape = attrs.GetShape("shape");
  ASSERT_TRUE(shape && shape->has_rank());
  EXPECT_TRUE(IsAligned(shape->dimensions().data(), 8));
  EXPECT_THAT(shape->dimensions(), ElementsAre(2, -1));
  ASSERT_TRUE(attrs.GetShape("unranked"));
  EXPECT_FALSE(attrs.GetShape("unranked")->has_rank());
  auto dense = attrs.GetDense("dense");
  ASSERT_TRUE(dense);
  EXPECT_TRUE(IsAligned(dense->bytes().data(), 8));
  EXPECT_THAT(dense->shape(), ElementsAre(1, 2));
  EXPECT_THAT(dense->elements<double>(), ElementsAre(2.5, 3.5));
  // Scalars are aligned, too: kernels may read them as they lie.
  for (const OpAttr& attr : attrs.attrs()) {
    size_t size = DTypeSize(DTypeFromCode(attr.code));
    if (size == 0) continue;
    EXPECT_TRUE(IsAligned(attr.data, size)) << attr.name;
  }
}

TEST(OpAttrsTest, KeepsAllKinds) {
  OpAttrs attrs;
  FillIn(&attrs);
  ExpectAll(attrs);
}

// The bytes of a value alone, as files have it.
std::vector<uint8_t> InFile(const bef::AttributeValue& value) {
  bef::Buffer buffer;
  StatusOr<uint32_t> offset = bef::EncodeAttribute(value, &buffer);
  EXPECT_TRUE(offset.ok()) << offset.status().ToString();
  return {buffer.bytes().begin() + *offset, buffer.bytes().end()};
}

TEST(OpAttrsTest, BytesAreThoseOfFiles) {
  using bef::I64Attribute;
  using bef::StringAttribute;
  OpAttrs attrs;
  FillIn(&attrs);
  constexpr std::array<std::string_view, 2> kTexts = {"a", "bc"};
  EXPECT_TRUE(attrs.SetStringArray("strings", kTexts));
  EXPECT_TRUE(attrs.SetStringArray("no strings", {}));
  const std::pair<std::string_view, bef::AttributeValue> in_files[] = {
      {"bool", bef::BoolAttribute(true)},
      {"i8", bef::ScalarAttribute(bef::TypeCode::kI8, 0xF8)},
      {"i64", I64Attribute(-64)},
      {"f32", bef::F32Attribute(0.25f)},
      {"string", StringAttribute("text")},
      {"function", StringAttribute("callee")},
      {"type", bef::TypeAttribute(bef::TypeCode::kF16)},
      {"shape", bef::ShapeAttribute({2, -1})},
      {"unranked", bef::UnrankedShapeAttribute()},
      {"dense", bef::DenseAttribute(bef::TypeCode::kF64, {1, 2},
                                    {ElementBytes().begin(), ElementBytes().end()})},
      {"int64s", bef::ArrayAttribute({I64Attribute(1), I64Attribute(-2), I64Attribute(3)})},
      {"strings", bef::ArrayAttribute({StringAttribute("a"), StringAttribute("bc")})},
      {"no strings", bef::ArrayAttribute({})},
  };
  for (const auto& [name, value] : in_files) {
    const OpAttr* attr = OpAttrsRef(attrs).Find(name);
    ASSERT_TRUE(attr) << name;
    EXPECT_EQ(attr->code, static_cast<AttributeCode>(bef::EncodedType(value))) << name;
    EXPECT_EQ(std::vector<uint8_t>(attr->data, attr->data + attr->size_bytes()), InFile(value))
        << name;
  }
}

TEST(OpAttrsTest, FrozenSetsOutliveTheirOrigin) {
  OpAttrsRef frozen;
  {
    std::string name = "name that dies";
    OpAttrs attrs;
    FillIn(&attrs);
    frozen = attrs.Freeze();
    OpAttrs other;
    other.Set(name, int32_t{1});
    OpAttrsRef other_frozen = other.Freeze();
    name = "something else";
    EXPECT_EQ(other_frozen.Get<int32_t>("name that dies"), 1);
  }
  EXPECT_TRUE(frozen.is_frozen());
  ExpectAll(frozen);
  // Sorted; freezing again changes nothing.
  auto attrs = frozen.attrs();
  for (size_t i = 1; i < attrs.size(); ++i) EXPECT_LT(attrs[i - 1].name, attrs[i].name);
  EXPECT_EQ(frozen.Freeze().attrs().data(), attrs.data());
  EXPECT_FALSE(OpAttrsRef().Freeze().is_frozen());
}

TEST(OpAttrsTest, NamesAreTakenOnce) {
  OpAttrs attrs;
  EXPECT_TRUE(attrs.Set("a", int32_t{1}));
  EXPECT_FALSE(attrs.Set("a", int32_t{2}));
  EXPECT_FALSE(attrs.SetString("a", "x"));
  EXPECT_FALSE(attrs.SetFunction("a", "x"));
  EXPECT_FALSE(attrs.SetArray<double>("a", kDoubles));
  EXPECT_FALSE(attrs.SetType("a", DType::kI1));
  EXPECT_FALSE(attrs.SetShape("a", kDims));
  EXPECT_FALSE(attrs.SetUnrankedShape("a"));
  EXPECT_FALSE(attrs.SetDense("a", DType::kF64, kDenseDims, ElementBytes()));
  EXPECT_FALSE(attrs.SetExternal("a", Attribute<bool>::kCode, nullptr));
  EXPECT_EQ(attrs.size(), 1u);
  EXPECT_EQ(OpAttrsRef(attrs).Get<int32_t>("a"), 1);
}

TEST(OpAttrsTest, GettersWantNameAndType) {
  OpAttrs owner;
  FillIn(&owner);
  OpAttrsRef attrs = owner;
  EXPECT_FALSE(attrs.Get<int32_t>("nothing"));
  EXPECT_FALSE(attrs.Get<int32_t>("i64"));
  EXPECT_FALSE(attrs.Get<float>("f64"));
  EXPECT_FALSE(attrs.GetArray<float>("doubles"));
  EXPECT_FALSE(attrs.GetArray<int64_t>("i64"));
  EXPECT_FALSE(attrs.GetString("function"));
  EXPECT_FALSE(attrs.GetFunction("string"));
  EXPECT_FALSE(attrs.GetType("i32"));
  EXPECT_FALSE(attrs.GetShape("dense"));
  EXPECT_FALSE(attrs.GetDense("shape"));
  EXPECT_FALSE(attrs.GetAggregate("dense"));
  EXPECT_FALSE(attrs.GetAggregate("int64s"));
}

TEST(OpAttrsTest, EmptyArraysFitEveryArray) {
  OpAttrs owner;
  owner.SetArray<int32_t>("none", {});
  OpAttrsRef attrs = owner;
  EXPECT_TRUE(attrs.GetArray<float>("none")->empty());
  EXPECT_TRUE(attrs.GetArray<int64_t>("none")->empty());
  ASSERT_TRUE(attrs.GetAggregate("none"));
  EXPECT_EQ(attrs.GetAggregate("none")->size(), 0u);
}

// An aggregate of an i64 array and a string, as a BEF file has it: 8-aligned, offsets from its
// start.
struct AggregateBytes {
  alignas(16) std::array<uint8_t, 64> bytes = {};
  size_t start = 4;
  AggregateBytes() {
    auto put32 = [&](size_t at, uint32_t value) { std::memcpy(&bytes[start + at], &value, 4); };
    bytes[start] = 8;
    bytes[start + 2] = 20;  // of the header
    put32(4, 52);           // of all
    put32(8, 2);
    put32(12, 24);
    put32(16, 48);
    bytes[start + 23] = ArrayAttribute<int64_t>::kCode;
    put32(24, 2);  // elements from 28 on: at byte 32
    int64_t values[] = {7, 8};
    std::memcpy(&bytes[start + 28], values, sizeof(values));
    bytes[start + 47] = StringAttribute::kCode;
    put32(48, 0);
  }
  const uint8_t* data() const { return &bytes[start]; }
};

TEST(OpAttrsTest, AggregatesStayAligned) {
  AggregateBytes aggregate;
  OpAttrs owner;
  owner.Set("odd", int8_t{1});
  owner.SetExternal("aggregate", AggregateAttribute::kCode, aggregate.data());
  // Not copied until it is frozen.
  EXPECT_EQ(OpAttrsRef(owner).Find("aggregate")->data, aggregate.data());
  OpAttrsRef frozen = owner.Freeze();
  aggregate.bytes.fill(0xFF);
  auto read = frozen.GetAggregate("aggregate");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), 2u);
  ASSERT_EQ(read->element_code(0), ArrayAttribute<int64_t>::kCode);
  ArrayAttribute<int64_t> array(read->element_data(0));
  EXPECT_TRUE(IsAligned(array.span().data(), 8));
  EXPECT_THAT(array.span(), ElementsAre(7, 8));
  EXPECT_EQ(StringAttribute(read->element_data(1)).get(), "");
}

TEST(OpAttrsTest, EqualityAndHashDoNotSeeTheOrder) {
  OpAttrs a, b;
  a.Set("x", int32_t{1});
  a.SetString("y", "s");
  b.SetString("y", "s");
  b.Set("x", int32_t{1});
  EXPECT_EQ(OpAttrsRef(a), OpAttrsRef(b));
  EXPECT_EQ(OpAttrsRef(a).Hash(), OpAttrsRef(b).Hash());
  EXPECT_EQ(a.Freeze(), OpAttrsRef(b));
  EXPECT_EQ(a.Freeze().Hash(), OpAttrsRef(b).Hash());
}

// Of large values the hash sees the size and both ends; equality sees all of them.
TEST(OpAttrsTest, LargeValuesAreHashedInPart) {
  std::vector<uint8_t> elements(1000, 1);
  const int64_t dims[] = {1000}, other_dims[] = {10, 100};
  auto hash_of = [&](std::span<const int64_t> shape) {
    OpAttrs attrs;
    attrs.SetDense("c", DType::kUI8, shape, elements);
    return OpAttrsRef(attrs).Hash();
  };
  OpAttrs first;
  first.SetDense("c", DType::kUI8, dims, elements);
  const uint64_t hash = hash_of(dims);
  EXPECT_EQ(OpAttrsRef(first).Hash(), hash);
  EXPECT_EQ(first.Freeze().Hash(), hash);
  EXPECT_NE(hash_of(other_dims), hash);
  elements[500] = 2;
  EXPECT_EQ(hash_of(dims), hash);
  OpAttrs second;
  second.SetDense("c", DType::kUI8, dims, elements);
  EXPECT_FALSE(OpAttrsRef(first) == OpAttrsRef(second));
  elements[500] = 1;
  elements[999] = 2;
  EXPECT_NE(hash_of(dims), hash);
  elements[999] = 1;
  elements[0] = 2;
  EXPECT_NE(hash_of(dims), hash);
}

TEST(OpAttrsTest, EqualityAndHashSeeTheRest) {
  OpAttrs one;
  one.Set("x", int32_t{1});
  auto differs = [&](const OpAttrs& other) {
    return !(OpAttrsRef(one) == OpAttrsRef(other)) &&
           OpAttrsRef(one).Hash() != OpAttrsRef(other).Hash();
  };
  OpAttrs value, name, type, more, none;
  value.Set("x", int32_t{2});
  name.Set("y", int32_t{1});
  type.Set("x", 1.0f);
  more.Set("x", int32_t{1});
  more.Set("y", int32_t{1});
  EXPECT_TRUE(differs(value));
  EXPECT_TRUE(differs(name));
  EXPECT_TRUE(differs(type));
  EXPECT_TRUE(differs(more));
  EXPECT_TRUE(differs(none));
  OpAttrs string, function;
  string.SetString("f", "g");
  function.SetFunction("f", "g");
  EXPECT_FALSE(OpAttrsRef(string) == OpAttrsRef(function));
}

TEST(OpAttrsTest, LargeValuesGoToTheHeap) {
  std::vector<double> many(1000);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  std::string text(5000, 't');
  OpAttrs attrs;
  attrs.Set("first", int8_t{1});
  EXPECT_TRUE(attrs.SetArray<double>("many", many));
  EXPECT_TRUE(attrs.SetString("text", text));
  attrs.Set("last", int8_t{2});
  EXPECT_EQ(Values<double>(attrs, "many"), many);
  EXPECT_EQ(OpAttrsRef(attrs).GetString("text"), text);
  EXPECT_EQ(Values<double>(attrs.Freeze(), "many"), many);
  EXPECT_EQ(attrs.Freeze().Get<int8_t>("last"), 2);
}

}  // namespace
}  // namespace tfrt
