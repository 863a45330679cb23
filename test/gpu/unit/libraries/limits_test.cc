// Limits of what hostile or endless programs can ask for: sizes that cannot be counted, and maps
// that would grow for ever.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/libraries/limited_map.h"
#include "gpu/libraries/saturated.h"
#include "gtest/gtest.h"

namespace tfrt::gpu {
namespace {

TEST(Limits, AMapForgetsWhatWasAddedFirst) {
  LimitedMap<std::string, int> map(2);
  map.Add("a", 1);
  map.Add("b", 2);
  map.Add("a", 3);  // is there already, and is still the oldest
  EXPECT_EQ(*map.Find("a"), 1);
  map.Add("c", 4);
  EXPECT_EQ(map.Find("a"), nullptr);
  EXPECT_EQ(*map.Find("b"), 2);
  map.Add("a", 5);
  EXPECT_EQ(map.Find("b"), nullptr);
  EXPECT_EQ(*map.Find("c"), 4);
  EXPECT_EQ(*map.Find("a"), 5);
  EXPECT_EQ(map.size(), 2u);
}

TEST(Limits, AMapEndsWhatItForgets) {
  auto value = std::make_shared<int>(1);
  LimitedMap<int, std::shared_ptr<int>> map(10);
  for (int i = 0; i < 1000; ++i) map.Add(i, value);
  EXPECT_EQ(map.size(), 10u);
  EXPECT_EQ(value.use_count(), 11);
}

TEST(Limits, SizesThatCannotBeCountedAreTheLargest) {
  using List = std::vector<int64_t>;
  EXPECT_EQ(SpanOf(List{}, List{}), 1u);
  EXPECT_EQ(SpanOf(List{2, 3, 4}, List{100, 10, 1}), 124u);
  EXPECT_EQ(SpanOf(List{2, 3}, List{0, 5}), 11u);
  EXPECT_EQ(SpanOf(List{2, 0}, List{1, 5}), 0u);
  // Modulo 2^64 these would be 1, 1 and 4.
  const int64_t large = int64_t{1} << 62;
  EXPECT_EQ(SpanOf(List{5}, List{large}), UINT64_MAX);
  EXPECT_EQ(SpanOf(List{3, 3}, List{large, large}), UINT64_MAX);
  EXPECT_EQ(SpanOf(List{5, 4}, List{large, 1}), UINT64_MAX);
  EXPECT_EQ(SpanOf(List{2, 2}, List{large, large}), uint64_t{1} + (uint64_t{1} << 63));
  using Ints = std::array<int32_t, 4>;
  const int32_t most = INT32_MAX;
  EXPECT_EQ(SpanOf(Ints{most, most, most, most}, Ints{most, most, 2, 1}),
            2 * uint64_t{most - 1} * most + 3 * uint64_t{most - 1} + 1);
  EXPECT_EQ(SpanOf(std::array<int32_t, 5>{most, most, most, most, most},
                   std::array<int32_t, 5>{most, most, most, most, most}),
            UINT64_MAX);
  EXPECT_EQ(SaturatedTimes(UINT64_MAX, 0), 0u);
  EXPECT_EQ(SaturatedTimes(uint64_t{1} << 62, 4), UINT64_MAX);
  EXPECT_EQ(SaturatedTimes(uint64_t{1} << 62, 3), uint64_t{3} << 62);
  EXPECT_EQ(SaturatedPlus(UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(SaturatedPlus(UINT64_MAX - 1, 1), UINT64_MAX);
}

}  // namespace
}  // namespace tfrt::gpu
