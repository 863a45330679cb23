#include <cmath>
#include <complex>

#include "test/unit/kernels/kernel_runner.h"
#include "tfrt/support/half.h"

namespace tfrt {
namespace {

class PrintTest : public testing::Test {
 protected:
  template <typename T>
  std::string Print(const char* kernel, T value) {
    return runner_.Output(kernel, {{MakeValue(value), ReadyChain()}});
  }
  KernelRunner runner_;
};

TEST_F(PrintTest, Scalars) {
  EXPECT_EQ(Print("tfrt.print.i1", true), "int1 = 1\n");
  EXPECT_EQ(Print("tfrt.print.i32", int32_t{-2147483647 - 1}), "int32 = -2147483648\n");
  EXPECT_EQ(Print("tfrt.print.i64", int64_t{1} << 40), "int64 = 1099511627776\n");
  EXPECT_EQ(Print("tfrt.print.f16", Fp16::FromBits(15872)), "f16 = 15872\n");
  EXPECT_EQ(Print("tfrt.print.f32", 1.5f), "f32 = 1.500000\n");
  EXPECT_EQ(Print("tfrt.print.f64", -0.0), "f64 = -0.000000\n");
}

TEST_F(PrintTest, SpecialFloats) {
  EXPECT_EQ(Print("tfrt.print.f32", INFINITY), "f32 = inf\n");
  EXPECT_EQ(Print("tfrt.print.f32", -INFINITY), "f32 = -inf\n");
  EXPECT_EQ(Print("tfrt.print.f32", std::copysign(NAN, 1.f)), "f32 = nan\n");
  EXPECT_EQ(Print("tfrt.print.f32", std::copysign(NAN, -1.f)), "f32 = -nan\n");
}

TEST_F(PrintTest, ComplexKeepsItsPlusSign) {
  EXPECT_EQ(Print("tfrt.print.complex64", std::complex<float>(1.5f, -2.5f)),
            "complex64 = 1.500000+-2.500000i\n");
  EXPECT_EQ(Print("tfrt.print.complex128", std::complex<double>(1, 2)),
            "complex128 = 1.000000+2.000000i\n");
}

TEST_F(PrintTest, TrackedValuesReportTheirLife) {
  testing::internal::CaptureStdout();
  {
    Values a = runner_.Run("vt.constant", {.attributes = {ScalarBytes(40)}});
    Values b = runner_.Run("vt.add", {{a[0], a[0]}});
    runner_.Run("vt.print", {{b[0]}});
    a.clear();
    b.clear();
    runner_.Run("vt.constant", {.attributes = {ScalarBytes(-1)}});
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "constructed vt.value(40)\nmove constructed vt.value(40)\n"
            "constructed vt.value(80)\nmove constructed vt.value(80)\n"
            "print vt_value(80)\ndestroyed vt.value(40)\ndestroyed vt.value(80)\n"
            "constructed vt.value(-1)\nmove constructed vt.value(-1)\n");
}

TEST_F(PrintTest, Coordinates) {
  Values c = runner_.Run("tfrt_tutorial.create_coordinate", {{I32(2), I32(-4)}});
  EXPECT_EQ(runner_.Output("tfrt_tutorial.print_coordinate", {{c[0]}}), "(2, -4)\n");
}

}  // namespace
}  // namespace tfrt
