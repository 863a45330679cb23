// Names of levels.
#include "tfrt/profiler/level.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace tfrt::profiler {
namespace {

TEST(LevelTest, NamesAndBack) {
  for (size_t i = 0; i < kNumLevels; ++i) {
    const auto level = static_cast<Level>(i);
    StatusOr<Level> parsed = ParseLevel(LevelName(level));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(*parsed, level);
  }
  EXPECT_EQ(LevelName(Level::kMetrics), "metrics");
  EXPECT_EQ(ParseLevel("deep").status().message(),
            "there is no level 'deep': it is model, layer, kernel or metrics");
}

}  // namespace
}  // namespace tfrt::profiler
