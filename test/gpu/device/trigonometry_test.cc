// Functions of angles, hyperbolic functions and their inverses on the host, as device_math_test.cc.

#include "gpu/device_code/trigonometry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "lib/format/op_table/elementwise_tape.h"
#include "lib/ops/maths/cpu/element_functions.h"
#include "tfrt/opinfo/element_type.h"
#include "ulp_distance.h"

namespace tfrt::gpu::device {
namespace {

// Bit patterns of all kinds, numbers of everyday size, numbers from -1 to 1, some multiples of
// pi / 2 as near as they can be, and special ones.
template <typename T>
std::vector<T> Inputs(size_t count) {
  using Bits = typename Format<T>::Bits;
  using Limits = std::numeric_limits<T>;
  std::vector<T> inputs;
  for (T x : {T(0), T(0.5), T(1), T(2), Limits::infinity(), Limits::quiet_NaN(), Limits::min(),
              Limits::denorm_min(), Limits::max(), Limits::epsilon(), 1 + Limits::epsilon(),
              1 - Limits::epsilon() / 2, Circle<T>::kFar, Circle<T>::kFar * (1 + Limits::epsilon()),
              kFarArea<T>, Format<T>::kFarExp, T(6381956970095103.0) * T(0x1p797)}) {
    inputs.push_back(x);
    inputs.push_back(-x);
  }
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> everyday(-100, 100), part(-1, 1), exponent(-30, 31);
  for (size_t i = 0; i < count / 4; ++i) {
    inputs.push_back(std::bit_cast<T>(static_cast<Bits>(random())));
    inputs.push_back(static_cast<T>(everyday(random)));
    inputs.push_back(static_cast<T>(part(random)));
    const Wider<T> half_pi = std::acos(Wider<T>(0));
    inputs.push_back(static_cast<T>(std::round(Wider<T>(std::exp2(exponent(random)))) * half_pi));
  }
  return inputs;
}

template <typename T, typename F, typename G>
void Check(const char* name, const std::vector<T>& inputs, double tolerance, F function,
           G reference) {
  double worst = 0;
  for (T x : inputs) {
    const Wider<T> exact = reference(Wider<T>(x));
    const T result = function(x);
    const double distance = UlpDistance<Wider<T>>(result, exact, kFormatOf<T>);
    ASSERT_LE(distance, tolerance)
        << name << " of f" << sizeof(T) * 8 << " " << x << ": " << result << ", not " << exact;
    if (exact == 0) {
      ASSERT_EQ(std::signbit(result), std::signbit(exact)) << name << " of " << x;
    }
    worst = std::max(worst, distance);
  }
  std::printf("%-10s f%zu: %.3g ulp\n", name, sizeof(T) * 8, worst);
}

template <typename T>
void CheckAll(const std::vector<T>& inputs) {
  using W = Wider<T>;
#define TFRT_CHECK(name, Name, tolerance) \
  Check<T>(#name, inputs, tolerance, [](T x) { return Name(x); }, [](W x) { return std::name(x); })
  TFRT_CHECK(sin, Sin, 2);
  TFRT_CHECK(cos, Cos, 2);
  TFRT_CHECK(tan, Tan, 4);
  TFRT_CHECK(asin, Asin, 3);
  TFRT_CHECK(acos, Acos, 2);
  TFRT_CHECK(atan, Atan, 2);
  TFRT_CHECK(sinh, Sinh, 3);
  TFRT_CHECK(cosh, Cosh, 3);
  TFRT_CHECK(asinh, Asinh, 2);
  TFRT_CHECK(acosh, Acosh, 2);
  TFRT_CHECK(atanh, Atanh, 2);
#undef TFRT_CHECK
}

TEST(TrigonometryTest, Floats) { CheckAll<f32>(Inputs<f32>(400'000)); }
TEST(TrigonometryTest, Doubles) { CheckAll<f64>(Inputs<f64>(80'000)); }

// Against the ops of the CPU: NaN, infinities, all but the last digits.
template <typename T>
void CheckHost(std::string_view name, T (*function)(T, T, T), DType dtype) {
  const auto op = FindElementwiseOp(name);
  ASSERT_TRUE(op) << name;
  const cpu::ElementFunction on_host = cpu::FindElementFunction(*op, dtype);
  ASSERT_NE(on_host, nullptr) << name;
  const std::vector<T> x = Inputs<T>(4000);
  std::vector<T> expected(x.size());
  cpu::ElementRun run;
  run.size = static_cast<int64_t>(x.size());
  run.in[0] = x.data();
  run.out = expected.data();
  on_host(*op, run);
  for (size_t i = 0; i < x.size(); ++i) {
    const T result = function(x[i], 0, 0);
    if (std::isnan(expected[i])) {
      ASSERT_TRUE(std::isnan(result)) << name << " of " << x[i];
      continue;
    }
    if (std::isinf(expected[i])) {
      ASSERT_EQ(result, expected[i]) << name << " of " << x[i];
      continue;
    }
    // The sine of f32 on the host is inexact beside multiples of pi, by little compared with 1.
    const T size = std::max(std::fabs(expected[i]), T(1e-2));
    ASSERT_NEAR(result, expected[i], size * 10 * std::numeric_limits<T>::epsilon())
        << name << " of " << x[i];
  }
}

TEST(TrigonometryTest, AgreesWithTheHost) {
#define TFRT_CHECK(name, op)                          \
  CheckHost<f32>(#name, op::Apply<f32>, DType::kF32); \
  CheckHost<f64>(#name, op::Apply<f64>, DType::kF64);
  TFRT_TRIGONOMETRY(TFRT_CHECK)
#undef TFRT_CHECK
}

}  // namespace
}  // namespace tfrt::gpu::device
