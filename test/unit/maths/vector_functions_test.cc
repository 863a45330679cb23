// The functions of lib/ops/maths/cpu/vector_functions.h against double precision.

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

std::vector<float> Apply(Op op, const std::vector<float>& in, float alpha = 1) {
  std::vector<float> out(in.size());
  ElementRun run{.size = static_cast<int64_t>(in.size()), .out = out.data()};
  run.in[0] = in.data();
  if (OperandsOf(op) > 1) run.in[1] = &alpha;
  run.repeats[1] = true;
  RunFloats(op, run);
  return out;
}
float Apply(Op op, float in) { return Apply(op, std::vector<float>{in})[0]; }

// The largest error over every 997th float in [low, high], less `nearness`, in units in the last
// place.
double LargestError(Op op, const std::function<double(double)>& exact, float low, float high,
                    double nearness = 0) {
  std::vector<float> in;
  for (uint32_t bits = 0; bits < std::bit_cast<uint32_t>(kInfinity); bits += 997) {
    for (float x : {std::bit_cast<float>(bits), -std::bit_cast<float>(bits)}) {
      if (x >= low && x <= high) in.push_back(x);
    }
  }
  std::vector<float> out = Apply(op, in);
  double largest = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const double expected = exact(in[i]), error = std::fabs(out[i] - expected) - nearness;
    auto magnitude = static_cast<float>(std::fabs(expected));
    if (error <= 0 || static_cast<float>(expected) == out[i]) continue;
    const double ulp = static_cast<double>(std::nextafterf(magnitude, kInfinity)) - magnitude;
    largest = std::max(largest, error / ulp);
  }
  return largest;
}

TEST(VectorFunctionsTest, Erf) {
  EXPECT_LT(LargestError(Op::kErf, [](double x) { return std::erf(x); }, -kInfinity, kInfinity), 4);
  EXPECT_EQ(Apply(Op::kErf, kInfinity), 1.0f);
  EXPECT_EQ(Apply(Op::kErf, -kInfinity), -1.0f);
  EXPECT_TRUE(std::signbit(Apply(Op::kErf, -0.0f)));
}

TEST(VectorFunctionsTest, ExponentialsLessOne) {
  EXPECT_LT(
      LargestError(
          Op::kElu, [](double x) { return x < 0 ? std::expm1(x) : x; }, -kInfinity, kInfinity),
      4);
  EXPECT_EQ(Apply(Op::kElu, -kInfinity), -1.0f);
}

TEST(VectorFunctionsTest, ExponentialsAndLogarithms) {
  auto expm1 = [](double x) { return std::expm1(x); };
  EXPECT_LT(LargestError(Op::kExpm1, expm1, -kInfinity, 88.7f), 4);
  EXPECT_EQ(Apply(Op::kExpm1, kInfinity), kInfinity);
  EXPECT_TRUE(std::signbit(Apply(Op::kExpm1, -0.0f)));
  auto exp2 = [](double x) { return std::exp2(x); };
  EXPECT_LT(LargestError(Op::kExp2, exp2, -125, 127.9f), 2);
  EXPECT_LT(LargestError(Op::kExp2, exp2, -kInfinity, -125, 1e-45), 2);
  EXPECT_LT(LargestError(Op::kLog2, [](double x) { return std::log2(x); }, 0, 3e38f), 2);
  for (int i = -149; i < 128; ++i) {
    EXPECT_EQ(Apply(Op::kExp2, static_cast<float>(i)), std::ldexp(1.0f, i));
    EXPECT_EQ(Apply(Op::kLog2, std::ldexp(1.0f, i)), static_cast<float>(i));
  }
  EXPECT_EQ(Apply(Op::kExp2, 128.0f), kInfinity);
  EXPECT_EQ(Apply(Op::kLog2, kInfinity), kInfinity);
  EXPECT_EQ(Apply(Op::kLog2, -0.0f), -kInfinity);
  for (Op op : {Op::kExpm1, Op::kExp2, Op::kLog2}) EXPECT_TRUE(std::isnan(Apply(op, NAN)));
  EXPECT_TRUE(std::isnan(Apply(Op::kLog2, -1.0f)));
}

TEST(VectorFunctionsTest, SumsOfExponentials) {
  auto with = [](float y) {
    return
        [y](double x) { return std::max(x, double{y}) + std::log1p(std::exp(-std::fabs(x - y))); };
  };
  std::vector<float> in = {0.5f, -3, 100, -kInfinity, kInfinity};
  EXPECT_LT(std::fabs(Apply(Op::kLogAddExp, in, 2)[0] - with(2)(0.5)), 5e-7);
  EXPECT_LT(std::fabs(Apply(Op::kLogAddExp, in, 2)[1] - with(2)(-3)), 5e-7);
  EXPECT_EQ(Apply(Op::kLogAddExp, in, 2)[2], 100.0f);
  EXPECT_EQ(Apply(Op::kLogAddExp, in, -kInfinity)[3], -kInfinity);
  EXPECT_EQ(Apply(Op::kLogAddExp, in, -kInfinity)[4], kInfinity);
  EXPECT_EQ(Apply(Op::kLogAddExp, in, kInfinity)[4], kInfinity);
  EXPECT_TRUE(std::isnan(Apply(Op::kLogAddExp, in, NAN)[4]));
}

TEST(VectorFunctionsTest, Softplus) {
  auto exact = [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); };
  EXPECT_LT(LargestError(Op::kSoftplus, exact, -103, kInfinity), 4);
  EXPECT_EQ(Apply(Op::kSoftplus, -kInfinity), 0.0f);
  EXPECT_EQ(Apply(Op::kSoftplus, kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(Apply(Op::kSoftplus, NAN)));
}

TEST(VectorFunctionsTest, Mish) {
  auto exact = [](double x) {
    const double e = std::exp(-std::fabs(x));
    return x * (x < 0 ? e * (e + 2) / (e * (e + 2) + 2) : (1 + 2 * e) / (1 + 2 * e + 2 * e * e));
  };
  EXPECT_LT(LargestError(Op::kMish, exact, -87, 1e30f), 5);
  EXPECT_EQ(Apply(Op::kMish, -kInfinity), 0.0f);
  EXPECT_EQ(Apply(Op::kMish, kInfinity), kInfinity);
}

TEST(VectorFunctionsTest, SineAndCosine) {
  auto sine = [](double x) { return std::sin(x); };
  auto cosine = [](double x) { return std::cos(x); };
  EXPECT_LT(LargestError(Op::kSin, sine, -3, 3), 4);
  EXPECT_LT(LargestError(Op::kCos, cosine, -1.5f, 1.5f), 4);
  EXPECT_LT(LargestError(Op::kSin, sine, -8192, 8192, 1e-7), 4);
  EXPECT_LT(LargestError(Op::kCos, cosine, -8192, 8192, 1e-7), 4);
  // Beyond, by the C library, whatever the neighbours are.
  EXPECT_LT(LargestError(Op::kSin, sine, 8192, 3e38f), 2);
  EXPECT_EQ(Apply(Op::kSin, std::vector<float>{1e30f, 0.5f})[1], Apply(Op::kSin, 0.5f));
  EXPECT_TRUE(std::isnan(Apply(Op::kCos, kInfinity)));
}

TEST(VectorFunctionsTest, LimitsOfSwish) {
  EXPECT_EQ(Apply(Op::kSwish, -kInfinity), 0.0f);
  EXPECT_EQ(Apply(Op::kSwish, kInfinity), kInfinity);
}

}  // namespace
}  // namespace tfrt::cpu
