#include "text_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace read_text {
namespace {

constexpr float kTextProbability = 0.3f;
constexpr double kLineProbability = 0.5;
constexpr double kWidening = 1.6;
constexpr int64_t kSmallestSide = 3;

// Neighbouring pixels of text, corners included.
struct Component {
  Box box;
  double sum = 0;
  int64_t pixels = 0;
};

// Collects the component that `start` belongs to, and marks its pixels as seen.
Component Collect(std::span<const float> map, int64_t width, int64_t height, int64_t start,
                  std::vector<bool>& seen) {
  Component component{{width, height, 0, 0}};
  std::vector<int64_t> to_visit = {start};
  seen[static_cast<size_t>(start)] = true;
  while (!to_visit.empty()) {
    int64_t pixel = to_visit.back();
    to_visit.pop_back();
    int64_t y = pixel / width;
    int64_t x = pixel % width;
    Box& box = component.box;
    box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x + 1),
           std::max(box.bottom, y + 1)};
    component.sum += map[static_cast<size_t>(pixel)];
    ++component.pixels;
    for (int64_t j = std::max<int64_t>(y - 1, 0); j < std::min(y + 2, height); ++j) {
      for (int64_t i = std::max<int64_t>(x - 1, 0); i < std::min(x + 2, width); ++i) {
        auto neighbour = static_cast<size_t>(j * width + i);
        if (seen[neighbour] || !(map[neighbour] > kTextProbability)) continue;
        seen[neighbour] = true;
        to_visit.push_back(j * width + i);
      }
    }
  }
  return component;
}

// The box widened, in the pixels of a page of which the map is a scaled picture.
Box OnPage(const Box& box, double scale_x, double scale_y, int64_t page_width,
           int64_t page_height) {
  auto width = static_cast<double>(box.width());
  auto height = static_cast<double>(box.height());
  double by = kWidening * width * height / (2 * (width + height));
  auto place = [](double value, double scale, int64_t limit) {
    return std::clamp<int64_t>(std::llround(value * scale), 0, limit);
  };
  return {place(static_cast<double>(box.left) - by, scale_x, page_width),
          place(static_cast<double>(box.top) - by, scale_y, page_height),
          place(static_cast<double>(box.right) + by, scale_x, page_width),
          place(static_cast<double>(box.bottom) + by, scale_y, page_height)};
}

}  // namespace

std::vector<Box> FindLines(std::span<const float> map, int64_t width, int64_t height,
                           int64_t page_width, int64_t page_height) {
  double scale_x = static_cast<double>(page_width) / static_cast<double>(width);
  double scale_y = static_cast<double>(page_height) / static_cast<double>(height);
  std::vector<bool> seen(map.size());
  std::vector<Box> lines;
  for (size_t pixel = 0; pixel < map.size(); ++pixel) {
    if (seen[pixel] || !(map[pixel] > kTextProbability)) continue;
    Component found = Collect(map, width, height, static_cast<int64_t>(pixel), seen);
    if (std::min(found.box.width(), found.box.height()) < kSmallestSide) continue;
    if (found.sum < kLineProbability * static_cast<double>(found.pixels)) continue;
    lines.push_back(OnPage(found.box, scale_x, scale_y, page_width, page_height));
  }
  SortForReading(lines);
  return lines;
}

void SortForReading(std::vector<Box>& boxes) {
  std::sort(boxes.begin(), boxes.end(),
            [](const Box& a, const Box& b) { return a.top + a.bottom < b.top + b.bottom; });
  // A row ends where the next box's middle is below the first one of the row.
  for (auto begin = boxes.begin(); begin != boxes.end();) {
    auto end = std::find_if(begin, boxes.end(), [&](const Box& box) {
      return (box.top + box.bottom) / 2 >= begin->bottom;
    });
    std::sort(begin, end, [](const Box& a, const Box& b) { return a.left < b.left; });
    begin = end;
  }
}

}  // namespace read_text
