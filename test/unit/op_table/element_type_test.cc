#include "tfrt/opinfo/element_type.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace tfrt {
namespace {

TEST(ElementTypeTest, EveryCodeHasItsName) {
  const char* names[] = {"unsupported", "u8",         "u16",  "u32",  "u64",  "i1",
                         "i8",          "i16",        "i32",  "i64",  "f32",  "f64",
                         "complex64",   "complex128", "f16",  "bf16", "str",  "resource",
                         "variant",     "qu8",        "qu16", "qi8",  "qi16", "qi32"};
  for (uint8_t code = 0; code <= 23; ++code) {
    EXPECT_EQ(DTypeName(DTypeFromCode(code)), names[code]) << int{code};
  }
  EXPECT_EQ(DTypeFromCode(24), DType::kUnsupported);
  EXPECT_EQ(DTypeFromCode(255), DType::kUnsupported);
}

TEST(ElementTypeTest, SizesAreThoseOfTheCppTypes) {
  EXPECT_EQ(DTypeSize(DTypeOf<bool>()), 1u);
  EXPECT_EQ(DTypeSize(DTypeOf<uint16_t>()), sizeof(uint16_t));
  EXPECT_EQ(DTypeSize(DTypeOf<float>()), sizeof(float));
  EXPECT_EQ(DTypeSize(DTypeOf<Fp16>()), sizeof(Fp16));
  EXPECT_EQ(DTypeSize(DTypeOf<std::complex<float>>()), sizeof(std::complex<float>));
  EXPECT_EQ(DTypeSize(DTypeOf<std::complex<double>>()), sizeof(std::complex<double>));
  EXPECT_EQ(DTypeSize(DType::kQI32), 4u);
  EXPECT_EQ(DTypeSize(DType::kString), 0u);
  EXPECT_EQ(DTypeSize(DType::kUnsupported), 0u);
  EXPECT_EQ(DTypeOf<std::string>(), DType::kUnsupported);
}

TEST(ElementTypeTest, CppTypesAgreeWithTheirRows) {
#define TFRT_CHECK_ROW(dtype, type)                 \
  EXPECT_EQ(DTypeOf<type>(), DType::dtype);         \
  EXPECT_EQ(DTypeSize(DType::dtype), sizeof(type)); \
  EXPECT_NE(ElementTypeOf(DType::dtype).kind, NumberKind::kNone);
  TFRT_CPP_ELEMENT_TYPES(TFRT_CHECK_ROW)
#undef TFRT_CHECK_ROW
}

TEST(ElementTypeTest, NoNameMeansTwoTypes) {
  std::set<std::string_view> names, program_names, mlir_names, log_names, numpy_names;
  for (const ElementType& type : kElementTypes) {
    EXPECT_TRUE(names.insert(type.name).second) << type.name.text;
    EXPECT_TRUE(program_names.insert(type.program_name).second) << type.program_name.text;
    EXPECT_TRUE(mlir_names.insert(type.mlir_name).second) << type.mlir_name.text;
    EXPECT_TRUE(log_names.insert(type.log_name).second) << type.log_name.text;
    if (std::string_view(type.numpy_name).empty()) continue;
    EXPECT_TRUE(numpy_names.insert(type.numpy_name).second) << type.numpy_name.text;
  }
}

TEST(ElementTypeTest, NumPyNamesTellKindAndBits) {
  for (const ElementType& type : kElementTypes) {
    if (std::string_view(type.numpy_name).empty() || type.kind == NumberKind::kBool) continue;
    const char* kind = type.kind == NumberKind::kSigned     ? "int"
                       : type.kind == NumberKind::kUnsigned ? "uint"
                       : type.kind == NumberKind::kFloat    ? "float"
                                                            : "complex";
    EXPECT_EQ(std::string_view(type.numpy_name), kind + std::to_string(8 * type.size_bytes));
  }
}

TEST(ElementTypeTest, ValuesOutsideTheEnumerationAreUnsupported) {
  EXPECT_EQ(DTypeSize(static_cast<DType>(200)), 0u);
  EXPECT_EQ(DTypeName(static_cast<DType>(200)), "unsupported");
}

}  // namespace
}  // namespace tfrt
