// What text cannot tell apart: types and shapes of corert, and opaque ones that print the same.
#include "tfrt/compiler/attribute_conversion.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "tfrt/compiler/translate.h"

namespace tfrt::compiler {
namespace {

using bef::TypeCode;

constexpr TypeCode kCorertCodes[] = {TypeCode::kString, TypeCode::kResource, TypeCode::kVariant,
                                     TypeCode::kQUI8,   TypeCode::kQUI16,    TypeCode::kQI8,
                                     TypeCode::kQI16,   TypeCode::kQI32};

class AttributeConversionTest : public ::testing::TestWithParam<bool> {
 protected:
  AttributeConversionTest() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.allowUnregisteredDialects();
    if (!HasDialects()) return;
    prepareContext(&context_);
    context_.getOrLoadDialect("corert");
  }
  bool HasDialects() const { return GetParam(); }

  mlir::MLIRContext context_;
};

INSTANTIATE_TEST_SUITE_P(WithAndWithoutDialects, AttributeConversionTest, ::testing::Bool());

TEST_P(AttributeConversionTest, ElementTypesAreOpaqueOnlyWithoutTheirDialect) {
  for (TypeCode code : kCorertCodes) {
    mlir::Type type = fromTypeCode(code, &context_);
    ASSERT_TRUE(type) << int{static_cast<uint8_t>(code)};
    EXPECT_EQ(mlir::isa<mlir::OpaqueType>(type), !HasDialects());
    EXPECT_EQ(toTypeCode(type), code);
  }
}

TEST_P(AttributeConversionTest, ShapesAreOpaqueOnlyWithoutTheirDialect) {
  const std::vector<int64_t> shapes[] = {{}, {-1}, {2, -1, 30}};
  for (const std::vector<int64_t>& dims : shapes) {
    mlir::Attribute shape = decodeShapeAttribute(/*ranked=*/true, dims, &context_);
    ASSERT_TRUE(shape);
    EXPECT_EQ(mlir::isa<mlir::OpaqueAttr>(shape), !HasDialects());
    auto value = toBefAttribute(shape);
    ASSERT_TRUE(value);
    EXPECT_EQ(value->kind, bef::AttributeKind::kShape);
    EXPECT_TRUE(value->ranked);
    EXPECT_EQ(value->dims, dims);
  }
  auto unranked = toBefAttribute(decodeShapeAttribute(/*ranked=*/false, {}, &context_));
  ASSERT_TRUE(unranked);
  EXPECT_FALSE(unranked->ranked);
}

}  // namespace
}  // namespace tfrt::compiler
