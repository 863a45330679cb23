// Trimmed means of one to seven values, and what else says how values lie.
#include "tfrt/profiler/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tfrt::profiler {
namespace {

TEST(StatisticsTest, LeavesOutAsManyLowestAsHighest) {
  // Of 1, 2, 4, 8, ... each sum shows what is in it.
  const std::vector<double> means = {1, 1.5, 7.0 / 3, 15.0 / 4, 14.0 / 3.0, 30.0 / 4.0, 62.0 / 5.0};
  const std::vector<size_t> trimmed = {0, 0, 0, 0, 1, 1, 1};
  for (size_t n = 1; n <= 7; ++n) {
    std::vector<double> values;
    for (size_t i = 0; i < n; ++i) values.insert(values.begin(), std::exp2(i));
    const TrimmedMean mean = TrimmedMeanOf(values);
    EXPECT_DOUBLE_EQ(mean.mean, means[n - 1]) << n;
    EXPECT_EQ(mean.num_trimmed, trimmed[n - 1]) << n;
    EXPECT_EQ(mean.n, n);
    EXPECT_EQ(mean.min, 1);
    EXPECT_EQ(mean.max, std::exp2(n - 1));
  }
  EXPECT_EQ(TrimmedMeanOf(std::vector<double>(10, 3.0)).num_trimmed, 2u);
  EXPECT_EQ(TrimmedMeanOf(std::vector<double>(15, 3.0)).num_trimmed, 3u);
}

TEST(StatisticsTest, HoldsOddFractionsAndValues) {
  EXPECT_EQ(TrimmedMeanOf({}).n, 0u);
  EXPECT_EQ(TrimmedMeanOf({}).mean, 0);
  EXPECT_EQ(TrimmedMeanOf({1, 2, 9}, 0.5).mean, 2);
  EXPECT_EQ(TrimmedMeanOf({1, 2, 4, 9}, 7).mean, 3);
  EXPECT_EQ(TrimmedMeanOf({1, 2, 9}, -1).mean, 4);
  const double infinity = std::numeric_limits<double>::infinity();
  const TrimmedMean mean = TrimmedMeanOf({1, infinity, std::nan(""), 3, -infinity});
  EXPECT_EQ(mean.mean, 2);
  EXPECT_EQ(mean.n, 2u);
}

TEST(StatisticsTest, VariationIsRelative) {
  EXPECT_DOUBLE_EQ(TrimmedMeanOf({1, 3}).cv, std::sqrt(2.0) / 2);
  EXPECT_DOUBLE_EQ(TrimmedMeanOf({1000, 3000}).cv, std::sqrt(2.0) / 2);
  EXPECT_EQ(TrimmedMeanOf({5}).cv, 0);
  EXPECT_EQ(TrimmedMeanOf({-1, 1}).cv, 0);
}

TEST(StatisticsTest, QuantilesLieBetweenValues) {
  const std::vector<double> values = {40, 10, 30, 20};
  EXPECT_EQ(Quantile(values, 0), 10);
  EXPECT_EQ(Quantile(values, 1), 40);
  EXPECT_EQ(Quantile(values, 0.5), 25);
  EXPECT_DOUBLE_EQ(Quantile(values, 0.95), 38.5);
  EXPECT_EQ(Quantile(values, 7), 40);
  EXPECT_EQ(Quantile({}, 0.5), 0);
  EXPECT_EQ(Median(std::vector<double>{3, 1, 2}), 2);
}

TEST(StatisticsTest, DeviationIsThatOfTheMiddle) {
  EXPECT_EQ(MedianAbsoluteDeviation(std::vector<double>{1, 1, 2, 2, 4, 6, 900}), 1);
  EXPECT_EQ(MedianAbsoluteDeviation(std::vector<double>{7}), 0);
  EXPECT_EQ(MedianAbsoluteDeviation({}), 0);
}

}  // namespace
}  // namespace tfrt::profiler
