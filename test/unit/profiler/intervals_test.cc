// Sets of time: against a set of single nanoseconds.
#include "tfrt/profiler/intervals.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>
#include <utility>
#include <vector>

namespace tfrt::profiler {
namespace {

constexpr int kLength = 64;
using Points = std::bitset<kLength>;

Points PointsOf(const IntervalSet& set) {
  Points points;
  for (int i = 0; i < kLength; ++i) points[i] = set.Contains(i);
  return points;
}

std::vector<Interval> RandomIntervals(std::minstd_rand& random) {
  std::vector<Interval> intervals(random() % 8);
  for (Interval& interval : intervals) {
    // Some are empty, some end before they begin.
    interval = {static_cast<int64_t>(random() % kLength), static_cast<int64_t>(random() % kLength)};
    if (random() % 8 != 0 && interval.end < interval.begin) {
      std::swap(interval.begin, interval.end);
    }
  }
  return intervals;
}

void ExpectInOneForm(const IntervalSet& set) {
  const Interval* before = nullptr;
  for (const Interval& interval : set.intervals()) {
    EXPECT_LT(interval.begin, interval.end);
    if (before) {
      EXPECT_LT(before->end, interval.begin);
    }
    before = &interval;
  }
}

TEST(IntervalSetTest, MergesWhatOverlapsOrTouches) {
  IntervalSet set({{20, 30}, {0, 5}, {5, 7}, {25, 40}, {9, 9}, {50, 45}});
  EXPECT_EQ(std::vector<Interval>(set.intervals().begin(), set.intervals().end()),
            (std::vector<Interval>{{0, 7}, {20, 40}}));
  EXPECT_EQ(set.length(), 27);
  EXPECT_TRUE(set.Contains(0));
  EXPECT_FALSE(set.Contains(7));
  EXPECT_FALSE(set.Contains(-1));
}

TEST(IntervalSetTest, AgreesWithSetsOfPoints) {
  std::minstd_rand random(1);
  for (int round = 0; round < 5000; ++round) {
    std::vector<Interval> of_a = RandomIntervals(random), of_b = RandomIntervals(random);
    Points points_a;
    for (const Interval& interval : of_a) {
      for (int64_t i = interval.begin; i < interval.end; ++i)
        points_a[static_cast<size_t>(i)] = true;
    }
    const IntervalSet a(of_a), b(of_b);
    ASSERT_EQ(PointsOf(a), points_a);
    const Points points_b = PointsOf(b);
    for (const auto& [set, points] : {std::pair(Union(a, b), points_a | points_b),
                                      std::pair(Intersection(a, b), points_a & points_b),
                                      std::pair(Difference(a, b), points_a & ~points_b)}) {
      ExpectInOneForm(set);
      ASSERT_EQ(PointsOf(set), points);
      ASSERT_EQ(static_cast<size_t>(set.length()), points.count());
    }
  }
}

}  // namespace
}  // namespace tfrt::profiler
