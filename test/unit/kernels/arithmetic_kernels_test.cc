#include <cmath>
#include <complex>
#include <limits>

#include "test/unit/kernels/kernel_runner.h"
#include "tfrt/host_context/attribute_views.h"
#include "tfrt/host_context/device.h"

namespace tfrt {
namespace {

constexpr int32_t kMin32 = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax32 = std::numeric_limits<int32_t>::max();
constexpr int64_t kMin64 = std::numeric_limits<int64_t>::min();

class ArithmeticTest : public testing::Test {
 protected:
  KernelRunner runner_;
};

TEST_F(ArithmeticTest, Constants) {
  EXPECT_TRUE(runner_.Get<bool>("tfrt.constant.i1", {.attributes = {ScalarBytes<uint8_t>(7)}}));
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.constant.i32", {.attributes = {ScalarBytes(-5)}}), -5);
  EXPECT_EQ(runner_.Get<uint64_t>("tfrt.constant.ui64", {.attributes = {ScalarBytes(~0ull)}}),
            ~uint64_t{0});
  EXPECT_EQ(
      runner_.Get<Fp16>("tfrt.constant.f16", {.attributes = {ScalarBytes<uint16_t>(15872)}}).bits,
      15872);
  EXPECT_EQ(
      runner_.Get<Bf16>("tfrt.constant.bf16", {.attributes = {ScalarBytes<uint16_t>(16256)}}).bits,
      16256);
  EXPECT_EQ(runner_.Get<double>("tfrt.constant.f64", {.attributes = {ScalarBytes(0.25)}}), 0.25);
}

TEST_F(ArithmeticTest, ComplexConstantsTakeTheImaginaryPartFirst) {
  EXPECT_EQ(runner_.Get<std::complex<float>>("tfrt.constant.complex64",
                                             {.attributes = {ScalarBytes(2.f), ScalarBytes(1.f)}}),
            std::complex<float>(1, 2));
  EXPECT_EQ(runner_.Get<std::complex<double>>("tfrt.constant.complex128",
                                              {.attributes = {ScalarBytes(2.), ScalarBytes(1.)}}),
            std::complex<double>(1, 2));
}

TEST_F(ArithmeticTest, IntegersWrapAround) {
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.add.i32", {{I32(kMax32), I32(1)}}), kMin32);
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.minus.i32", {{I32(kMin32), I32(1)}}), kMax32);
  EXPECT_EQ(runner_.Get<int32_t>("tfrt.mul.i32", {{I32(65536), I32(65536)}}), 0);
  EXPECT_EQ(
      runner_.Get<int64_t>("tfrt.mul.i64", {{MakeValue<int64_t>(kMin64), MakeValue<int64_t>(-1)}}),
      kMin64);
}

TEST_F(ArithmeticTest, IntegerDivision) {
  Values results = runner_.Run("tfrt.div.i32", {{I32(-7), I32(2)}, 2});
  EXPECT_EQ(results[0]->get<int32_t>(), -3);
  EXPECT_EQ(results[1]->get<int32_t>(), -1);
  // The one quotient that does not fit; the processor's instruction would trap.
  results = runner_.Run("tfrt.div.i64", {{MakeValue(kMin64), MakeValue<int64_t>(-1)}, 2});
  EXPECT_EQ(results[0]->get<int64_t>(), kMin64);
  EXPECT_EQ(results[1]->get<int64_t>(), 0);
}

TEST_F(ArithmeticTest, DivideByZero) {
  EXPECT_EQ(runner_.Error("tfrt.div.i32", {{I32(1), I32(0)}, 2}), "Divide by zero");
  EXPECT_EQ(runner_.Error("tfrt.div.f32", {{MakeValue(1.f), MakeValue(-0.f)}}), "Divide by zero");
  EXPECT_EQ(runner_.Error("tfrt.div.f64", {{MakeValue(1.), MakeValue(0.)}}), "Divide by zero");
  EXPECT_EQ(runner_.diagnostics().size(), 3u);
}

TEST_F(ArithmeticTest, Floats) {
  EXPECT_EQ(runner_.Get<float>("tfrt.div.f32", {{MakeValue(1.f), MakeValue(4.f)}}), 0.25f);
  EXPECT_EQ(runner_.Get<double>("tfrt.multiply.f64", {{MakeValue(1.5), MakeValue(2.)}}), 3.0);
  // The second one only if it is less: NaN never is.
  float nan = std::nanf("");
  EXPECT_EQ(runner_.Get<float>("tfrt.minimum.f32", {{MakeValue(1.f), MakeValue(nan)}}), 1.f);
  EXPECT_TRUE(
      std::isnan(runner_.Get<float>("tfrt.minimum.f32", {{MakeValue(nan), MakeValue(1.f)}})));
}

TEST_F(ArithmeticTest, Comparisons) {
  EXPECT_TRUE(runner_.Get<bool>("tfrt.equal.i32", {{I32(3), I32(3)}}));
  EXPECT_TRUE(runner_.Get<bool>("tfrt.lessequal.i32", {{I32(-1), I32(0)}}));
  EXPECT_FALSE(
      runner_.Get<bool>("tfrt.lessequal.i64", {{MakeValue<int64_t>(1), MakeValue<int64_t>(0)}}));
  EXPECT_FALSE(runner_.Get<bool>("tfrt.and.i1", {{I1(true), I1(false)}}));
}

TEST_F(ArithmeticTest, Casts) {
  EXPECT_EQ(runner_.Get<float>("tfrt.cast.i64_to_f32", {{MakeValue<int64_t>(-3)}}), -3.f);
  EXPECT_EQ(runner_.Get<double>("tfrt.cast.i64_to_f64", {{MakeValue<int64_t>(7)}}), 7.0);
  EXPECT_EQ(runner_.Get<int64_t>("tfrt.cast.f32_to_i64", {{MakeValue(-2.9f)}}), -2);
  EXPECT_EQ(runner_.Get<int64_t>("tfrt.cast.f64_to_i64", {{MakeValue(9007199254740993.)}}),
            9007199254740992);
}

TEST_F(ArithmeticTest, CastsOutOfRangeGiveTheSmallestInteger) {
  for (float value : {1e30f, -1e30f, std::nanf(""), 9223372036854775808.f}) {
    EXPECT_EQ(runner_.Get<int64_t>("tfrt.cast.f32_to_i64", {{MakeValue(value)}}), kMin64);
  }
  EXPECT_EQ(runner_.Get<int64_t>("tfrt.cast.f64_to_i64", {{MakeValue(1e300)}}), kMin64);
}

TEST_F(ArithmeticTest, MistypedArgumentIsAnError) {
  EXPECT_EQ(runner_.Error("tfrt.add.i32", {{I32(1), MakeValue(1.f)}}),
            "argument 1 has type 'float', but the kernel takes 'int'");
}

TEST_F(ArithmeticTest, ChainsAndAliases) {
  EXPECT_TRUE(runner_.Run("tfrt.new.chain", {{}})[0]->IsType<Chain>());
  EXPECT_TRUE(runner_.Run("tfrt.merge.chains", {{ReadyChain(), I32(1)}})[0]->IsConcrete());
  auto value = I32(4);
  EXPECT_EQ(runner_.Run("tfrt.alias.value", {{ReadyChain(), value}})[0].get(), value.get());
}

TEST_F(ArithmeticTest, Devices) {
  EXPECT_EQ(
      runner_
          .Get<RCReference<Device>>("tfrt.get_device", {{ReadyChain()}, 1, {StringBytes("cpu:0")}})
          ->name(),
      "cpu:0");
  EXPECT_EQ(runner_.Error("tfrt.get_device", {{ReadyChain()}, 1, {StringBytes("GPU:7")}}),
            "cannot find device GPU:7");
}

TEST_F(ArithmeticTest, OnlyKernelsWithoutEffectsAreOrderFree) {
  KernelRegistry& registry = runner_.host().kernel_registry();
  for (const char* name : {"tfrt.add.i32", "tfrt.constant.f32", "tfrt.merge.chains"}) {
    EXPECT_TRUE(registry.FindKernel(name)->order_free()) << name;
  }
  // The last two can fail, which is reported.
  for (const char* name : {"tfrt.print.i32", "tfrt.call", "tfrt.if", "tfrt_test.async_add.i32",
                           "tfrt_test.get_uniqueness", "vt.add", "tfrt_test.cancel", "tfrt.div.i32",
                           "tfrt_test.format_string"}) {
    EXPECT_FALSE(registry.FindKernel(name)->order_free()) << name;
  }
}

}  // namespace
}  // namespace tfrt
