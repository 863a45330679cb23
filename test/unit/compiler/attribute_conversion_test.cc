// Element types and shapes of dialects: where none is loaded that has them, there are none.
#include "lib/compiler/conversion/attribute_conversion.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"
#include "tfrt/compiler/translate.h"

namespace tfrt::compiler {
namespace {

using bef::TypeCode;

constexpr TypeCode kCorertCodes[] = {TypeCode::kString, TypeCode::kResource, TypeCode::kVariant,
                                     TypeCode::kQUI8,   TypeCode::kQUI16,    TypeCode::kQI8,
                                     TypeCode::kQI16,   TypeCode::kQI32};

class AttributeConversionTest : public ::testing::Test {
 protected:
  AttributeConversionTest() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.allowUnregisteredDialects();
  }
  void LoadCorert() {
    prepareContext(&context_);
    context_.getOrLoadDialect("corert");
  }

  mlir::MLIRContext context_;
};

TEST_F(AttributeConversionTest, ElementTypesOfADialect) {
  for (TypeCode code : kCorertCodes) EXPECT_FALSE(fromTypeCode(code, &context_));
  LoadCorert();
  for (TypeCode code : kCorertCodes) {
    mlir::Type type = fromTypeCode(code, &context_);
    ASSERT_TRUE(type) << int{static_cast<uint8_t>(code)};
    EXPECT_FALSE(mlir::isa<mlir::OpaqueType>(type));
    EXPECT_EQ(toTypeCode(type), code);
  }
}

TEST_F(AttributeConversionTest, ShapesOfADialect) {
  EXPECT_FALSE(decodeShapeAttribute(/*ranked=*/true, {1}, &context_));
  LoadCorert();
  const std::vector<int64_t> shapes[] = {{}, {-1}, {2, -1, 30}};
  for (const std::vector<int64_t>& dims : shapes) {
    mlir::Attribute shape = decodeShapeAttribute(/*ranked=*/true, dims, &context_);
    ASSERT_TRUE(shape);
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

TEST_F(AttributeConversionTest, OpaqueTypesAndAttributesHaveNoCode) {
  EXPECT_EQ(toTypeCode(mlir::parseType("!corert.string", &context_)), TypeCode::kUnsupported);
  EXPECT_FALSE(toBefAttribute(mlir::parseAttribute("#corert.shape<1x?>", &context_)));
}

}  // namespace
}  // namespace tfrt::compiler
