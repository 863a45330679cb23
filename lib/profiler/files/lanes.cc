#include "lanes.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace tfrt::profiler {

void Lanes::Add(int64_t begin_ns, int64_t end_ns) {
  const size_t at = size_ % Piece::kSize;
  if (at == 0) pieces_.push_back(std::make_unique_for_overwrite<Piece>());
  pieces_.back()->begin[at] = begin_ns;
  pieces_.back()->end[at] = end_ns;
  ++size_;
}

void Lanes::Assign() {
  std::vector<uint32_t> order(size_);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    if (begin(a) != begin(b)) return begin(a) < begin(b);
    if (end(a) != end(b)) return end(a) > end(b);
    return a < b;
  });
  lanes_.assign(size_, 0);
  std::vector<std::vector<int64_t>> open(1);  // of each lane, the ends of what is around
  for (uint32_t event : order) {
    uint32_t lane = 0;
    for (;; ++lane) {
      if (lane == open.size()) open.emplace_back();
      std::vector<int64_t>& ends = open[lane];
      while (!ends.empty() && ends.back() <= begin(event) &&
             (ends.back() < end(event) || begin(event) < end(event))) {
        ends.pop_back();
      }
      if (ends.empty() || ends.back() >= end(event) || lane + 1 == kMaxLanes) {
        ends.push_back(end(event));
        break;
      }
    }
    lanes_[event] = static_cast<uint16_t>(lane);
  }
  num_lanes_ = static_cast<uint32_t>(open.size());
  pieces_.clear();
}

}  // namespace tfrt::profiler
