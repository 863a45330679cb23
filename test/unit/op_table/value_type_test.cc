#include "tfrt/opinfo/value_type.h"

#include <gtest/gtest.h>

namespace tfrt {
namespace {

TEST(DimTest, KnownSymbolOrUnknown) {
  const Dim unknown, three = 3, symbol = Dim::Symbol(3);
  EXPECT_TRUE(unknown.is_unknown());
  EXPECT_TRUE(three.is(3));
  EXPECT_FALSE(symbol.is(3));
  EXPECT_EQ(symbol.symbol(), 3u);
  EXPECT_TRUE(three.IsSameAs(3));
  EXPECT_TRUE(symbol.IsSameAs(Dim::Symbol(3)));
  EXPECT_FALSE(symbol.IsSameAs(three));
  EXPECT_FALSE(unknown.IsSameAs(unknown));
  EXPECT_TRUE(three.Contradicts(4));
  EXPECT_FALSE(three.Contradicts(symbol));
  EXPECT_FALSE(symbol.Contradicts(Dim::Symbol(4)));
  EXPECT_FALSE(unknown.Contradicts(3));
  EXPECT_EQ(three.ToString() + symbol.ToString() + unknown.ToString(), "3s3?");
}

TEST(DimTest, UnifyKeepsWhatIsKnown) {
  const Dim unknown, symbol = Dim::Symbol(0);
  EXPECT_EQ(Unify(3, unknown), Dim(3));
  EXPECT_EQ(Unify(unknown, 3), Dim(3));
  EXPECT_EQ(Unify(symbol, 3), Dim(3));
  EXPECT_EQ(Unify(3, symbol), Dim(3));
  EXPECT_EQ(Unify(symbol, unknown), symbol);
  EXPECT_EQ(Unify(unknown, symbol), symbol);
  EXPECT_EQ(Unify(unknown, unknown), unknown);
  EXPECT_EQ(Unify(3, 4), std::nullopt);
}

TEST(SymbolicShapeTest, NumElements) {
  EXPECT_EQ(SymbolicShape({2, 3}).num_elements(), Dim(6));
  EXPECT_EQ(SymbolicShape(std::vector<Dim>()).num_elements(), Dim(1));
  EXPECT_EQ(SymbolicShape({Dim(), 0}).num_elements(), Dim(0));
  EXPECT_TRUE(SymbolicShape({2, Dim()}).num_elements().is_unknown());
  EXPECT_TRUE(SymbolicShape({int64_t{1} << 40, int64_t{1} << 40}).num_elements().is_unknown());
  EXPECT_TRUE(SymbolicShape().num_elements().is_unknown());
  EXPECT_TRUE(SymbolicShape({2, 3}).is_known());
  EXPECT_FALSE(SymbolicShape({2, Dim::Symbol(0)}).is_known());
  EXPECT_FALSE(SymbolicShape().is_known());
}

TEST(ValueTypeTest, CompatibleUnlessSomethingKnownDiffers) {
  const ValueType value{DType::kI64, {2}, {{3, 4}}};
  EXPECT_TRUE(value.IsCompatibleWith(ValueType()));
  EXPECT_TRUE(value.IsCompatibleWith({DType::kI64, {Dim()}, {{3, Dim()}}}));
  EXPECT_FALSE(value.IsCompatibleWith({DType::kI32}));
  EXPECT_FALSE(value.IsCompatibleWith({DType::kI64, {3}}));
  EXPECT_FALSE(value.IsCompatibleWith({DType::kI64, {2, 1}}));
  EXPECT_FALSE(value.IsCompatibleWith({DType::kI64, {2}, {{3, 5}}}));
}

TEST(ValueTypeTest, Text) {
  EXPECT_EQ((ValueType{DType::kI32, {2}, {{3, Dim::Symbol(0)}}}).ToString(), "i32 [2] {3, s0}");
  EXPECT_EQ((ValueType{DType::kF32, {2, Dim()}}).ToString(), "f32 [2, ?]");
  EXPECT_EQ(ValueType().ToString(), "? [*]");
}

}  // namespace
}  // namespace tfrt
