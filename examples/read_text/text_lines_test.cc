#include "text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace read_text {

bool operator==(const Box& a, const Box& b) {
  return a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom;
}
void PrintTo(const Box& box, std::ostream* out) {
  *out << box.left << "," << box.top << " to " << box.right << "," << box.bottom;
}

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A map with one probability inside of boxes and 0 outside.
std::vector<float> Map(int64_t width, int64_t height, const std::vector<Box>& boxes, float inside) {
  std::vector<float> map(static_cast<size_t>(width * height));
  for (const Box& box : boxes) {
    for (int64_t y = box.top; y < box.bottom; ++y) {
      for (int64_t x = box.left; x < box.right; ++x)
        map[static_cast<size_t>(y * width + x)] = inside;
    }
  }
  return map;
}

TEST(FindLines, WidensTheCore) {
  // 1.6 * 20 * 5 / 50 = 3.2.
  std::vector<float> map = Map(64, 32, {{10, 10, 30, 15}}, 0.9f);
  EXPECT_THAT(FindLines(map, 64, 32, 64, 32), ElementsAre(Box{7, 7, 33, 18}));
}

TEST(FindLines, GivesPixelsOfThePage) {
  std::vector<float> map = Map(64, 32, {{10, 10, 30, 15}}, 0.9f);
  EXPECT_THAT(FindLines(map, 64, 32, 128, 320), ElementsAre(Box{14, 68, 66, 182}));
}

TEST(FindLines, StaysOnThePage) {
  std::vector<float> map = Map(32, 32, {{0, 28, 32, 32}}, 0.9f);
  EXPECT_THAT(FindLines(map, 32, 32, 32, 32), ElementsAre(Box{0, 25, 32, 32}));
}

TEST(FindLines, LeavesOutWhatIsSmallOrImprobable) {
  EXPECT_THAT(FindLines(Map(32, 32, {{5, 5, 25, 7}}, 0.9f), 32, 32, 32, 32), IsEmpty());
  EXPECT_THAT(FindLines(Map(32, 32, {{5, 5, 25, 15}}, 0.4f), 32, 32, 32, 32), IsEmpty());
  EXPECT_THAT(FindLines(Map(32, 32, {{5, 5, 25, 15}}, 0.2f), 32, 32, 32, 32), IsEmpty());
}

TEST(FindLines, JoinsPixelsThatTouchAtACorner) {
  EXPECT_EQ(
      FindLines(Map(64, 64, {{10, 10, 20, 20}, {20, 20, 30, 30}}, 0.9f), 64, 64, 64, 64).size(),
      1u);
  EXPECT_EQ(
      FindLines(Map(64, 64, {{10, 10, 20, 20}, {21, 21, 30, 30}}, 0.9f), 64, 64, 64, 64).size(),
      2u);
}

TEST(SortForReading, GoesRowByRow) {
  Box heading{50, 0, 90, 20};
  Box left{10, 33, 30, 50};
  Box right{60, 30, 90, 48};
  Box last{10, 60, 30, 70};
  std::vector<Box> boxes = {last, right, heading, left};
  SortForReading(boxes);
  EXPECT_THAT(boxes, ElementsAre(heading, left, right, last));
}

}  // namespace
}  // namespace read_text
