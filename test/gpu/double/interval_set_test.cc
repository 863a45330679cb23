#include "test/gpu/vendor/driver/interval_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <random>

namespace tfrt::gpu::cuda_double {
namespace {

// Against one bit for each address.
TEST(IntervalSetTest, IsASet) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    IntervalSet set;
    std::bitset<128> model;
    for (int i = 0; i < 20; ++i) {
      uint64_t begin = random() % 127, end = begin + 1 + random() % (127 - begin);
      end = std::min(end, begin + 1 + random() % 16);
      set.Add(begin, end);
      for (uint64_t at = begin; at < end; ++at) model.set(at);
      if (random() % 3 == 0) {
        begin = random() % 128;
        end = begin + random() % std::min<uint64_t>(24, 129 - begin);
        set.Remove(begin, end);
        for (uint64_t at = begin; at < end; ++at) model.reset(at);
      }
      std::bitset<128> seen;
      set.ForEach(0, 128, [&](uint64_t from, uint64_t to) {
        ASSERT_LT(from, to);
        for (uint64_t at = from; at < to; ++at) seen.set(at);
      });
      ASSERT_EQ(model, seen);
      uint64_t low = random() % 128, high = low + random() % (129 - low);
      auto gap = set.FirstGap(low, high);
      uint64_t first = low;
      while (first < high && model[first]) ++first;
      ASSERT_EQ(first < high, gap.has_value());
      if (!gap) continue;
      uint64_t last = first;
      while (last < high && !model[last]) ++last;
      ASSERT_EQ(first, gap->first);
      ASSERT_EQ(last, gap->second);
    }
  }
}

}  // namespace
}  // namespace tfrt::gpu::cuda_double
