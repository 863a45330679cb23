// The elementary functions of lib/ops/maths/cpu/vector_math.h against double precision.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "lib/ops/maths/cpu/element_functions.h"

namespace tfrt::cpu {
namespace {

using Op = ElementwiseOp;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> Apply(ElementwiseOp op, const std::vector<float>& in) {
  std::vector<float> out(in.size());
  RunFloats(op, {.size = static_cast<int64_t>(in.size()), .in = {in.data()}, .out = out.data()});
  return out;
}
float Apply(ElementwiseOp op, float in) { return Apply(op, std::vector<float>{in})[0]; }

// The distance of two floats around `exact`.
double Ulp(double exact) {
  auto magnitude = static_cast<float>(std::fabs(exact));
  if (magnitude == kInfinity) magnitude = std::numeric_limits<float>::max();
  return static_cast<double>(std::nextafterf(magnitude, kInfinity)) - magnitude;
}

// The largest error in ulp over floats in [low, high], every `step`-th of them.
double LargestError(ElementwiseOp op, const std::function<double(double)>& exact, float low,
                    float high, uint32_t step = 997) {
  std::vector<float> in;
  // The order of the bits is the order of the magnitudes.
  for (uint32_t bits = 0; bits <= std::bit_cast<uint32_t>(kInfinity) - step; bits += step) {
    for (float x : {std::bit_cast<float>(bits), -std::bit_cast<float>(bits)}) {
      if (x >= low && x <= high) in.push_back(x);
    }
  }
  std::vector<float> out = Apply(op, in);
  double largest = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    double expected = exact(in[i]);
    if (static_cast<float>(expected) == out[i]) continue;
    largest = std::max(largest, std::fabs(out[i] - expected) / Ulp(expected));
  }
  return largest;
}

TEST(VectorMathTest, Exp) {
  auto exact = [](double x) { return std::exp(x); };
  EXPECT_LT(LargestError(Op::kExp, exact, -200, 88.72f), 1.5);
  EXPECT_EQ(Apply(Op::kExp, 0.0f), 1.0f);
  EXPECT_EQ(Apply(Op::kExp, 88.73f), kInfinity);
  EXPECT_EQ(Apply(Op::kExp, kInfinity), kInfinity);
  EXPECT_EQ(Apply(Op::kExp, 1e30f), kInfinity);
  EXPECT_EQ(Apply(Op::kExp, -kInfinity), 0.0f);
  EXPECT_GT(Apply(Op::kExp, -103.0f), 0.0f);
  EXPECT_EQ(Apply(Op::kExp, -104.0f), 0.0f);
  EXPECT_TRUE(std::isnan(Apply(Op::kExp, kNan)));
}

TEST(VectorMathTest, Log) {
  auto exact = [](double x) { return std::log(x); };
  EXPECT_LT(LargestError(Op::kLog, exact, 1e-45f, kInfinity), 1.5);
  EXPECT_EQ(Apply(Op::kLog, 1.0f), 0.0f);
  EXPECT_EQ(Apply(Op::kLog, 0.0f), -kInfinity);
  EXPECT_EQ(Apply(Op::kLog, -0.0f), -kInfinity);
  EXPECT_EQ(Apply(Op::kLog, kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(Apply(Op::kLog, -1.0f)));
  EXPECT_TRUE(std::isnan(Apply(Op::kLog, -kInfinity)));
  EXPECT_TRUE(std::isnan(Apply(Op::kLog, kNan)));
}

TEST(VectorMathTest, Log1p) {
  auto exact = [](double x) { return std::log1p(x); };
  EXPECT_LT(LargestError(Op::kLog1p, exact, std::nextafterf(-1, 0), kInfinity), 3);
  EXPECT_EQ(Apply(Op::kLog1p, 0.0f), 0.0f);
  EXPECT_TRUE(std::signbit(Apply(Op::kLog1p, -0.0f)));
  EXPECT_EQ(Apply(Op::kLog1p, 1e-30f), 1e-30f);
  EXPECT_EQ(Apply(Op::kLog1p, -1.0f), -kInfinity);
  EXPECT_EQ(Apply(Op::kLog1p, kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(Apply(Op::kLog1p, -1.1f)));
  EXPECT_TRUE(std::isnan(Apply(Op::kLog1p, -kInfinity)));
  EXPECT_TRUE(std::isnan(Apply(Op::kLog1p, kNan)));
}

TEST(VectorMathTest, Tanh) {
  auto exact = [](double x) { return std::tanh(x); };
  EXPECT_LT(LargestError(Op::kTanh, exact, -kInfinity, kInfinity), 3);
  EXPECT_EQ(Apply(Op::kTanh, kInfinity), 1.0f);
  EXPECT_EQ(Apply(Op::kTanh, -kInfinity), -1.0f);
  EXPECT_TRUE(std::signbit(Apply(Op::kTanh, -0.0f)));
  EXPECT_TRUE(std::isnan(Apply(Op::kTanh, kNan)));
}

TEST(VectorMathTest, Sigmoid) {
  auto exact = [](double x) { return 1 / (1 + std::exp(-x)); };
  EXPECT_LT(LargestError(Op::kSigmoid, exact, -kInfinity, kInfinity), 3);
  EXPECT_EQ(Apply(Op::kSigmoid, kInfinity), 1.0f);
  EXPECT_EQ(Apply(Op::kSigmoid, -kInfinity), 0.0f);
  EXPECT_EQ(Apply(Op::kSigmoid, 0.0f), 0.5f);
  EXPECT_TRUE(std::isnan(Apply(Op::kSigmoid, kNan)));
}

TEST(VectorMathTest, Gelu) {
  auto exact = [](double x) { return x * 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  EXPECT_LT(LargestError(Op::kGelu, exact, -3, kInfinity), 5);
  EXPECT_LT(LargestError(Op::kGelu, exact, -12.9f, -3), 10);
  EXPECT_EQ(Apply(Op::kGelu, kInfinity), kInfinity);
  EXPECT_EQ(Apply(Op::kGelu, -kInfinity), 0.0f);
  EXPECT_EQ(Apply(Op::kGelu, -15.0f), 0.0f);
  EXPECT_EQ(Apply(Op::kGelu, 0.0f), 0.0f);
  EXPECT_TRUE(std::isnan(Apply(Op::kGelu, kNan)));
}

// Its argument of the exponential function is rounded, which the tail on the left multiplies.
TEST(VectorMathTest, GeluWithTanh) {
  auto exact = [](double x) {
    double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
    return x / (1 + std::exp(-2 * u));
  };
  EXPECT_LT(LargestError(Op::kGeluTanh, exact, -1, kInfinity), 5);
  EXPECT_LT(LargestError(Op::kGeluTanh, exact, -10, -1), 200);
  EXPECT_EQ(Apply(Op::kGeluTanh, kInfinity), kInfinity);
  EXPECT_EQ(Apply(Op::kGeluTanh, -kInfinity), 0.0f);
  EXPECT_TRUE(std::isnan(Apply(Op::kGeluTanh, kNan)));
}

TEST(VectorMathTest, Roots) {
  EXPECT_EQ(LargestError(Op::kSqrt, [](double x) { return std::sqrt(x); }, 0, kInfinity), 0);
  EXPECT_LT(
      LargestError(Op::kRsqrt, [](double x) { return 1 / std::sqrt(x); }, 1e-45f, kInfinity), 1.6);
  EXPECT_TRUE(std::isnan(Apply(Op::kSqrt, -1.0f)));
  EXPECT_EQ(Apply(Op::kRsqrt, 0.0f), kInfinity);
}

// Whatever part of a vector an element is computed in, it comes out the same.
TEST(VectorMathTest, PositionsDoNotMatter) {
  std::vector<float> in;
  for (int i = -40; i < 40; ++i) in.push_back(0.37f * static_cast<float>(i));
  for (auto op :
       {Op::kGelu, Op::kGeluTanh, Op::kTanh, Op::kSigmoid, Op::kExp, Op::kLog, Op::kRsqrt}) {
    std::vector<float> all = Apply(op, in);
    for (size_t i = 0; i < in.size(); ++i) {
      float one = Apply(op, in[i]);
      EXPECT_EQ(std::bit_cast<uint32_t>(one) & 0x7fffffff,
                std::bit_cast<uint32_t>(all[i]) & 0x7fffffff)
          << RowOf(op) << " of " << in[i];
    }
  }
}

}  // namespace
}  // namespace tfrt::cpu
