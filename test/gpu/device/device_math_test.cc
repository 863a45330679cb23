// The functions of device code, built for the host, against the C library in higher precision. They
// compute the same bits on any machine, so that what is found here is true of devices, too;
// kernel tests compare bits.

#include "gpu/device_code/device_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "tfrt/support/half.h"
#include "ulp_distance.h"

namespace tfrt::gpu::device {
namespace {

template <typename T>
double Distance(T result, Wider<T> exact) {
  return UlpDistance<Wider<T>>(result, exact, kFormatOf<T>);
}

// Inputs: many bit patterns, evenly spread, so that all exponents and signs occur; numbers of
// everyday size; the special ones.
template <typename T>
std::vector<T> Inputs(size_t count) {
  using Bits = typename Format<T>::Bits;
  std::vector<T> inputs = {0,
                           T(-0.0),
                           1,
                           -1,
                           2,
                           -2,
                           T(0.5),
                           Format<T>::kInfinity,
                           -Format<T>::kInfinity,
                           Format<T>::kNan,
                           std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::denorm_min(),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::lowest(),
                           std::numeric_limits<T>::epsilon(),
                           1 + std::numeric_limits<T>::epsilon(),
                           1 - std::numeric_limits<T>::epsilon() / 2};
  std::mt19937_64 random(1);
  const Bits step = std::numeric_limits<Bits>::max() / (count / 2);
  for (size_t i = 0; i < count / 2; ++i) {
    inputs.push_back(std::bit_cast<T>(static_cast<Bits>(i * step + random() % step)));
  }
  std::uniform_real_distribution<double> everyday(-20, 20);
  for (size_t i = 0; i < count / 2; ++i) inputs.push_back(static_cast<T>(everyday(random)));
  return inputs;
}

// All f16, as what they are computed in.
std::vector<f32> AllHalves() {
  std::vector<f32> inputs;
  for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
    inputs.push_back(Fp16::FromBits(static_cast<uint16_t>(bits)).ToFloat());
  }
  return inputs;
}

// What the error of a function may be: units in the last place, of x.
template <typename T>
struct Tolerance {
  double ulps;
  double ulps_per_exponent = 0;  // more for each unit of the exponent of gelu_tanh
  // Subnormal factors: results that small may be off by so many smallest numbers.
  bool has_small_factor = false;

  double For(Wider<T> x, Wider<T> exact) const {
    if (has_small_factor && std::fabs(exact) < 1000 * std::numeric_limits<T>::min()) return 1000;
    if (ulps_per_exponent == 0 || !std::isfinite(x)) return ulps;
    return ulps +
           ulps_per_exponent * std::fabs(static_cast<double>(x + 0.044715 * x * x * x)) * 1.6;
  }
};

// function(x) against reference(x) for all inputs.
template <typename T, typename F, typename G>
void Check(const char* name, const std::vector<T>& inputs, const Tolerance<T>& tolerance,
           F function, G reference) {
  double worst = 0;
  for (T x : inputs) {
    const Wider<T> exact = reference(Wider<T>(x));
    const double distance = Distance<T>(function(x), exact);
    ASSERT_LE(distance, tolerance.For(x, exact))
        << name << " of f" << sizeof(T) * 8 << " " << x << ": " << function(x) << ", not " << exact;
    worst = std::max(worst, distance);
  }
  std::printf("%-10s f%zu: %.3g ulp\n", name, sizeof(T) * 8, worst);
}

template <typename T>
void CheckAll(const std::vector<T>& inputs) {
  using W = Wider<T>;
  auto check = [&](const char* name, Tolerance<T> tolerance, auto function, auto reference) {
    Check<T>(name, inputs, tolerance, function, reference);
  };
  check("exp", {2}, [](T x) { return Exp(x); }, [](W x) { return std::exp(x); });
  check("exp2", {2}, [](T x) { return Exp2(x); }, [](W x) { return std::exp2(x); });
  check("expm1", {2}, [](T x) { return Expm1(x); }, [](W x) { return std::expm1(x); });
  check("log", {2}, [](T x) { return Log(x); }, [](W x) { return std::log(x); });
  check("log1p", {2}, [](T x) { return Log1p(x); }, [](W x) { return std::log1p(x); });
  check("erf", {2}, [](T x) { return Erf(x); }, [](W x) { return std::erf(x); });
  check("rsqrt", {2}, [](T x) { return Rsqrt(x); }, [](W x) { return 1 / std::sqrt(x); });
  check(
      "softplus", {2}, [](T x) { return Softplus(x); },
      [](W x) {
        return std::isnan(x) ? x : std::max(x, W(0)) + std::log1p(std::exp(-std::fabs(x)));
      });
  check("tanh", {3}, [](T x) { return Tanh(x); }, [](W x) { return std::tanh(x); });
  check("sigmoid", {3}, [](T x) { return Sigmoid(x); }, [](W x) { return 1 / (1 + std::exp(-x)); });
  // Their limits at -infinity are -0.
  check(
      "mish", {8, 0, true}, [](T x) { return Mish(x); },
      [](W x) {
        return std::isinf(x) && x < 0 ? W(-0.0) : x * std::tanh(std::log1p(std::exp(x)));
      });
  check(
      "gelu", {8, 0, true}, [](T x) { return Gelu(x); },
      [](W x) {
        return std::isinf(x) && x < 0 ? W(-0.0) : x * std::erfc(-x * std::sqrt(W(0.5))) / 2;
      });
  check(
      "gelu_tanh", {4, 4, true}, [](T x) { return GeluTanh(x); },
      [](W x) {
        const W v = 2 * std::sqrt(2 / std::acos(W(-1))) * (x + W(T(0.044715)) * x * x * x);
        return std::isinf(x) && x < 0 ? W(-0.0) : x / (1 + std::exp(-v));
      });
}

TEST(DeviceMathTest, FunctionsOfAllHalves) { CheckAll<f32>(AllHalves()); }
TEST(DeviceMathTest, FunctionsOfFloats) { CheckAll<f32>(Inputs<f32>(1'000'000)); }
TEST(DeviceMathTest, FunctionsOfDoubles) { CheckAll<f64>(Inputs<f64>(200'000)); }

template <typename T>
void CheckPow(size_t count) {
  const std::vector<T> x = Inputs<T>(count);
  std::vector<T> y = x;
  std::shuffle(y.begin(), y.end(), std::mt19937_64(2));
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> near(-2, 2);
  double worst = 0;
  auto check = [&](T a, T b) {
    const double distance = Distance<T>(Pow(a, b), std::pow(Wider<T>(a), Wider<T>(b)));
    worst = std::max(worst, distance);
    EXPECT_LE(distance, 2) << a << " to the power of " << b << ": " << Pow(a, b);
    return distance <= 2;
  };
  for (size_t i = 0; i < x.size(); ++i) {
    if (!check(x[i], y[i])) return;
    // Results that are neither 0 nor infinite, with large exponents and small ones.
    const auto exponent = static_cast<T>(near(random) * 50);
    const auto base = static_cast<T>(std::exp2(near(random) * (i % 2 == 0 ? 1 : 0.01)));
    if (!check(base, i % 2 == 0 ? exponent : exponent * 100)) return;
    if (!check(-base, Round(exponent))) return;
  }
  std::printf("pow        f%zu: %.3g ulp\n", sizeof(T) * 8, worst);
}
TEST(DeviceMathTest, PowersOfFloats) { CheckPow<f32>(300'000); }
TEST(DeviceMathTest, PowersOfDoubles) { CheckPow<f64>(60'000); }

// Every pair of the numbers at which the C standard has rules, with signs of zeros.
template <typename T>
void CheckSpecialPowers() {
  const T infinity = Format<T>::kInfinity, nan = Format<T>::kNan;
  const T numbers[] = {0,
                       T(-0.0),
                       1,
                       -1,
                       2,
                       -2,
                       3,
                       -3,
                       T(0.5),
                       T(-0.5),
                       T(1e30),
                       T(-1e30),
                       infinity,
                       -infinity,
                       nan,
                       std::numeric_limits<T>::denorm_min(),
                       std::numeric_limits<T>::max()};
  for (T x : numbers) {
    for (T y : numbers) {
      const T expected = std::pow(x, y), result = Pow(x, y);
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(result)) << x << " to the power of " << y;
        continue;
      }
      EXPECT_LE(Distance<T>(result, expected), 2) << x << " to the power of " << y;
      EXPECT_EQ(std::signbit(result), std::signbit(expected)) << x << " to the power of " << y;
    }
  }
}
TEST(DeviceMathTest, SpecialPowers) {
  CheckSpecialPowers<f32>();
  CheckSpecialPowers<f64>();
}

// Odd functions keep the sign of zero; limits are exact.
template <typename T>
void CheckLimits() {
  const T infinity = Format<T>::kInfinity;
  for (T zero : {T(0), T(-0.0)}) {
    for (T result : {Expm1(zero), Log1p(zero), Erf(zero), Tanh(zero), Gelu(zero), GeluTanh(zero),
                     Mish(zero)}) {
      EXPECT_EQ(result, 0);
      EXPECT_EQ(std::signbit(result), std::signbit(zero));
    }
    EXPECT_EQ(Log(zero), -infinity);
  }
  EXPECT_EQ(Exp(-infinity), 0);
  EXPECT_EQ(Exp(infinity), infinity);
  EXPECT_EQ(Expm1(-infinity), -1);
  EXPECT_EQ(Tanh(-infinity), -1);
  EXPECT_EQ(Erf(infinity), 1);
  EXPECT_EQ(Sigmoid(-infinity), 0);
  EXPECT_EQ(Sigmoid(infinity), 1);
  EXPECT_TRUE(std::isnan(Log(T(-1))));
  EXPECT_EQ(Log1p(T(-1)), -infinity);
  for (T result : {Gelu(-infinity), GeluTanh(-infinity), Mish(-infinity)}) {
    EXPECT_EQ(result, 0);
    EXPECT_TRUE(std::signbit(result));
  }
}
TEST(DeviceMathTest, Limits) {
  CheckLimits<f32>();
  CheckLimits<f64>();
}

template <typename T>
void CheckRemainders() {
  const std::vector<T> x = Inputs<T>(20'000);
  std::vector<T> y = x;
  std::shuffle(y.begin(), y.end(), std::mt19937_64(4));
  for (size_t i = 0; i < x.size(); ++i) {
    const T expected = std::fmod(x[i], y[i]), result = Remainder(x[i], y[i]);
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(result)) << x[i] << " mod " << y[i];
    } else {
      ASSERT_EQ(result, expected) << x[i] << " mod " << y[i];
      ASSERT_EQ(std::signbit(result), std::signbit(expected)) << x[i] << " mod " << y[i];
    }
  }
}
TEST(DeviceMathTest, RemaindersAreExact) {
  CheckRemainders<f32>();
  CheckRemainders<f64>();
}

}  // namespace
}  // namespace tfrt::gpu::device
