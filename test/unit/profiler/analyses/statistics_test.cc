// Trimmed means of one to seven values, and what else says how values lie.
#include "lib/profiler/analyses/statistics.h"

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

// Of tables: n = m = 4 without an overlap is 2/70; U = 1 is 4/70.
TEST(StatisticsTest, RankTestIsExactForFewValues) {
  const std::vector<double> low = {1, 2, 3, 4};
  EXPECT_NEAR(RankTest(low, std::vector<double>{5, 6, 7, 8}), 2.0 / 70, 1e-12);
  EXPECT_NEAR(RankTest(std::vector<double>{5, 6, 7, 8}, low), 2.0 / 70, 1e-12);
  EXPECT_NEAR(RankTest(low, std::vector<double>{3.5, 6, 7, 8}), 4.0 / 70, 1e-12);
  EXPECT_NEAR(RankTest(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}), 0.1, 1e-12);
  // Ties: of the six ways to choose two of 1, 1, 2, 2 one has as low a sum and one as high a one.
  EXPECT_NEAR(RankTest(std::vector<double>{1, 1}, std::vector<double>{2, 2}), 2.0 / 6, 1e-12);
  EXPECT_EQ(RankTest(std::vector<double>{1, 1}, std::vector<double>{1, 1}), 1);
  EXPECT_EQ(RankTest({}, low), 1);
  // By counting all ways.
  EXPECT_NEAR(
      RankTest(std::vector<double>{1, 4, 6, 9, 11}, std::vector<double>{2, 12, 13, 14, 15, 16}),
      24.0 / 462, 1e-12);
  EXPECT_NEAR(RankTest(std::vector<double>{1, 2, 2, 3}, std::vector<double>{2, 3, 3, 4, 5}),
              14.0 / 126, 1e-12);
  EXPECT_NEAR(SmallestRankTest(4, 4), 2.0 / 70, 1e-12);
  EXPECT_NEAR(SmallestRankTest(3, 3), 0.1, 1e-12);
}

TEST(StatisticsTest, RankTestOfManyValuesIsNormal) {
  std::vector<double> x, y;
  for (int i = 0; i < 60; ++i) {
    x.push_back(i);
    y.push_back(i + 10.5);
  }
  EXPECT_NEAR(RankTest(x, y), 0.00256689, 1e-6);
  EXPECT_EQ(RankTest(x, x), 1);
}

}  // namespace
}  // namespace tfrt::profiler
