// Sums, means and others over axes, with figures of NumPy.

#include <cmath>
#include <cstdint>

#include "test/unit/arrays/arrays_fixture.h"

namespace tfrt::eager {
namespace {

class StatisticsTest : public ArraysTest {
 protected:
  const Tensor x = Make<float>({2, 3}, {1, 2, 3, 4, 5, 9});
  const Tensor none = Make<float>({2, 0}, {});
};

TEST_F(StatisticsTest, Sums) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Sum(x); }, x, "f32 []: 24");
  ExpectEverywhere([](const Tensor& x) { return arrays::Sum(x, {.axis = 0}); }, x,
                   "f32 [3]: 5 7 12");
  ExpectEverywhere([](const Tensor& x) { return arrays::Sum(x, {.axis = -1, .keepdims = true}); },
                   x, "f32 [2, 1]: 6 18");
  EXPECT_EQ(TextOf(arrays::Sum(x, {.axis = {0, 1}})), "f32 []: 24");
  EXPECT_EQ(TextOf(arrays::Sum(x, {.axis = std::vector<int64_t>()})), "f32 [2, 3]: 1 2 3 4 5 9");
  EXPECT_EQ(TextOf(arrays::Sum(none, {.axis = 1})), "f32 [2]: 0 0");
  EXPECT_EQ(TextOf(arrays::Prod(none)), "f32 []: 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::Prod(x, {.axis = 1}); }, x,
                   "f32 [2]: 6 180");
}

TEST_F(StatisticsTest, DTypesOfSums) {
  EXPECT_EQ(TextOf(arrays::Sum(x > 2)), "i32 []: 4");
  EXPECT_EQ(TextOf(arrays::Sum(Make<uint8_t>({2}, {200, 200}))), "u32 []: 400");
  EXPECT_EQ(TextOf(arrays::Sum(Make<int16_t>({2}, {32767, 1}))), "i32 []: 32768");
  EXPECT_EQ(TextOf(arrays::Sum(Make<int64_t>({2}, {1, 2}))), "i64 []: 3");
  EXPECT_EQ(TextOf(arrays::Sum(Make<int8_t>({2}, {1, 2}), {.dtype = DType::kF64})), "f64 []: 3");
}

TEST_F(StatisticsTest, Extremes) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Max(x); }, x, "f32 []: 9");
  ExpectEverywhere([](const Tensor& x) { return arrays::Min(x, {.axis = 1}); }, x, "f32 [2]: 1 4");
  EXPECT_EQ(TextOf(arrays::Max(Make<float>({2}, {1, NAN}))), "f32 []: nan");
  EXPECT_EQ(TextOf(arrays::Max(x > 8, {.axis = 1})), "i1 [2]: 0 1");
  EXPECT_EQ(TextOf(arrays::Max(none, {.axis = 0})), "f32 [0]:");
  EXPECT_THAT(TextOf(arrays::Max(none)),
              AllOf(HasSubstr("statistics_test.cc:"),
                    HasSubstr("max: axis 1 of the shape [2, 0] has size 0")));
}

TEST_F(StatisticsTest, MeansAndSpreads) {
  ExpectEverywhere([](const Tensor& x) { return arrays::Mean(x, {.axis = 0}); }, x,
                   "f32 [3]: 2.5 3.5 6");
  EXPECT_EQ(TextOf(arrays::Mean(Make<int32_t>({2}, {2147483647, 2147483647}))),
            "f32 []: 2.14748e+09");
  EXPECT_EQ(TextOf(arrays::Mean(x > 4)), "f32 []: 0.333333");
  EXPECT_EQ(TextOf(arrays::Mean(Make<double>({0}, {}))), "f64 []: nan");
  ExpectEverywhere([](const Tensor& x) { return arrays::Var(x); }, x, "f32 []: 6.66667");
  ExpectEverywhere([](const Tensor& x) { return arrays::Var(x, {.axis = 1, .correction = 1}); }, x,
                   "f32 [2]: 1 7");
  ExpectEverywhere([](const Tensor& x) { return arrays::Std(x, {.axis = 0, .keepdims = true}); }, x,
                   "f32 [1, 3]: 1.5 1.5 3");
  EXPECT_EQ(TextOf(arrays::Std(Make<int64_t>({2}, {1, 3}))), "f32 []: 1");
  EXPECT_EQ(TextOf(arrays::Var(Make<float>({2}, {1, 3}), {.correction = 5})), "f32 []: inf");
}

TEST_F(StatisticsTest, SpreadsOfHalvesAreBeyondTheirSquares) {
  const Tensor x = Cast(Make<float>({2}, {300, -300}), DType::kF16);
  ExpectEverywhere([](const Tensor& x) { return arrays::Std(x); }, x, "f16 []: 300");
  const Tensor many = Cast(arrays::Arange(100000) % 2, DType::kF16);
  EXPECT_EQ(TextOf(arrays::Std(many, {.correction = 1})), "f16 []: 0.5");
  EXPECT_EQ(TextOf(arrays::Var(many, {.correction = 1})), "f16 []: 0.25");
}

TEST_F(StatisticsTest, Truth) {
  ExpectEverywhere([](const Tensor& x) { return arrays::All(x > 1, {.axis = 1}); }, x,
                   "i1 [2]: 0 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::Any(x > 5); }, x, "i1 []: 1");
  EXPECT_EQ(TextOf(arrays::All(none, {.axis = 1})), "i1 [2]: 1 1");
  EXPECT_EQ(TextOf(arrays::Any(none, {.axis = 1})), "i1 [2]: 0 0");
  EXPECT_EQ(TextOf(arrays::All(Make<float>({2}, {NAN, 1}))), "i1 []: 1");
  ExpectEverywhere([](const Tensor& x) { return arrays::CountNonzero(x - 1, {.axis = 1}); }, x,
                   "i64 [2]: 2 3");
}

TEST_F(StatisticsTest, Running) {
  ExpectEverywhere([](const Tensor& x) { return arrays::CumulativeSum(x, {.axis = 1}); }, x,
                   "f32 [2, 3]: 1 3 6 4 9 18");
  ExpectEverywhere(
      [](const Tensor& x) {
        return arrays::CumulativeSum(x, {.axis = -1, .include_initial = true});
      },
      x, "f32 [2, 4]: 0 1 3 6 0 4 9 18");
  EXPECT_EQ(TextOf(arrays::CumulativeProd(Make<int8_t>({3}, {2, 3, 4}))), "i32 [3]: 2 6 24");
  EXPECT_EQ(TextOf(arrays::CumulativeProd(Make<int8_t>({1}, {2}), {.include_initial = true})),
            "i32 [2]: 1 2");
  ExpectEverywhere([](const Tensor& x) { return arrays::Diff(x); }, x, "f32 [2, 2]: 1 1 1 4");
  ExpectEverywhere([](const Tensor& x) { return arrays::Diff(x, {.n = 2}); }, x, "f32 [2, 1]: 0 3");
  EXPECT_EQ(TextOf(arrays::Diff(x, {.n = INT64_MAX})), "f32 [2, 0]:");
  EXPECT_EQ(TextOf(arrays::Diff(x > 2, {.axis = 0})), "i1 [1, 3]: 1 1 0");
}

TEST_F(StatisticsTest, Errors) {
  EXPECT_THAT(TextOf(arrays::Sum(x, {.axis = 2})),
              AllOf(HasSubstr("statistics_test.cc:"),
                    HasSubstr("sum: axis 2 is out of range for an array of 2 dimensions")));
  EXPECT_THAT(TextOf(arrays::Mean(x, {.axis = {1, -1}})),
              HasSubstr("mean: axis -1 names an axis twice"));
  EXPECT_THAT(TextOf(arrays::CumulativeSum(x)),
              HasSubstr("cumulative_sum: x has 2 dimensions, so that an axis is needed"));
  EXPECT_THAT(TextOf(arrays::CumulativeSum(Make<float>({}, {1}))),
              HasSubstr("x has 0 dimensions, but 1 or more are needed"));
  EXPECT_THAT(TextOf(arrays::Diff(x, {.n = -1})), HasSubstr("diff: n is 0 or more, not -1"));
  EXPECT_THAT(TextOf(arrays::Diff(Make<float>({}, {1}))), HasSubstr("x has 0 dimensions"));
  // A failure goes on to the results of later calls, and stays what it is.
  const Tensor wrong = arrays::Sum(x, {.axis = 2});
  EXPECT_EQ(TextOf(arrays::Mean(wrong + 1)), TextOf(wrong));
}

TEST_F(StatisticsTest, AsyncScopes) {
  Scope scope(*context_, {.mode = ExecutionMode::kAsync});
  Tensor sum = arrays::Sum(arrays::Where(x > 2, x * 2, 0), {.axis = 0});
  EXPECT_EQ(TextOf(sum), "f32 [3]: 8 10 24");
}

}  // namespace
}  // namespace tfrt::eager
