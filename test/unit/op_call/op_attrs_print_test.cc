// What programs cannot set one by one; test/lit/corert/op_attrs.mlir has the rest.

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstring>

#include "tfrt/core_runtime/op_attrs.h"

namespace tfrt {
namespace {

TEST(OpAttrsPrintTest, Numbers) {
  OpAttrs attrs;
  attrs.Set("a_i8", int8_t{65});
  attrs.Set("b_u8", uint8_t{66});
  attrs.Set("c_i16", int16_t{-1});
  attrs.Set("d_u16", uint16_t{65535});
  attrs.Set("e_u32", uint32_t{4294967295});
  attrs.Set("f_i64", int64_t{-5});
  attrs.Set("g_u64", uint64_t{5});
  attrs.Set("h_f64", 2.0);
  attrs.Set("i_false", false);
  std::complex<float> complex(1, -2);
  attrs.SetExternal("j_complex", 12, reinterpret_cast<const uint8_t*>(&complex));
  EXPECT_EQ(attrs.ToString(),
            "OpAttrs contains 10 entries:\n"
            "  'a_i8' type=I8 value=A\n"
            "  'b_u8' type=UI8 value=B\n"
            "  'c_i16' type=I16 value=-1\n"
            "  'd_u16' type=UI16 value=65535\n"
            "  'e_u32' type=UI32 value=4294967295\n"
            "  'f_i64' type=I64 value=-5\n"
            "  'g_u64' type=UI64 value=5\n"
            "  'h_f64' type=F64 value=2.000000e+00\n"
            "  'i_false' type=BOOL value=0\n"
            "  'j_complex' type=COMPLEX64 value=(1.000000e+00,-2.000000e+00)\n"
            "\n");
}

TEST(OpAttrsPrintTest, FunctionsAreSpelled) {
  OpAttrs attrs;
  attrs.SetFunction("f", "foo");
  attrs.SetFunction("g", "longer");
  EXPECT_EQ(attrs.ToString(),
            "OpAttrs contains 2 entries:\n"
            "  'f' type=FUNC value=[FUNC function_name: f, FUNC function_name: o, "
            "FUNC function_name: o]\n"
            "  'g' type=FUNC value=[FUNC function_name: l, FUNC function_name: o, "
            "FUNC function_name: n, FUNC function_name: g, FUNC function_name: e...]\n"
            "\n");
}

TEST(OpAttrsPrintTest, Types) {
  OpAttrs attrs;
  attrs.SetType("a", DType::kI1);
  attrs.SetType("b", DType::kComplex128);
  attrs.SetType("c", DType::kString);
  attrs.SetType("d", DType::kQUI8);
  const uint8_t array[] = {
      2, 0, 0, 0, static_cast<uint8_t>(DType::kF32), static_cast<uint8_t>(DType::kVariant)};
  attrs.SetExternal("e", TypeAttribute::kCode | 128, array);
  EXPECT_EQ(attrs.ToString(),
            "OpAttrs contains 5 entries:\n"
            "  'a' type=DTYPE value=BOOL\n"
            "  'b' type=DTYPE value=COMPLEX128\n"
            "  'c' type=DTYPE value=CHAR\n"
            "  'd' type=DTYPE value=QUI8\n"
            "  'e' type=DTYPE value=[F32, VARIANT]\n"
            "\n");
  // Every dtype has a name.
  for (uint8_t code = 1; code <= static_cast<uint8_t>(DType::kQI32); ++code) {
    OpAttrs one;
    one.SetType("t", DTypeFromCode(code));
    EXPECT_EQ(one.ToString().find("UNSUPPORTED"), std::string::npos) << int{code};
  }
}

TEST(OpAttrsPrintTest, BoolsAndHalfs) {
  OpAttrs attrs;
  const std::array<uint8_t, 6> bools = {2, 0, 0, 0, 1, 0};
  attrs.SetExternal("bools", Attribute<bool>::kCode | 128, bools.data());
  attrs.Set("half", Fp16(1.5f));
  EXPECT_EQ(attrs.ToString(),
            "OpAttrs contains 2 entries:\n"
            "  'bools' type=BOOL value=[1, 0]\n"
            "  'half' type=F16 value=fp16(15872)\n"
            "\n");
}

TEST(OpAttrsPrintTest, Empty) { EXPECT_EQ(OpAttrs().ToString(), "OpAttrs is empty\n"); }

}  // namespace
}  // namespace tfrt
