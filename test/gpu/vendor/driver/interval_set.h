// IntervalSet: a set of addresses that consists of few ranges.
#ifndef TFRT_TEST_GPU_VENDOR_DRIVER_INTERVAL_SET_H_
#define TFRT_TEST_GPU_VENDOR_DRIVER_INTERVAL_SET_H_

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

namespace tfrt::gpu::cuda_double {

// Ranges are [begin, end) and not empty. Not thread-safe.
class IntervalSet {
 public:
  void Add(uint64_t begin, uint64_t end) {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second >= begin) {
      --next;
      begin = next->first;
    }
    while (next != ranges_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges_.erase(next);
    }
    ranges_.emplace_hint(next, begin, end);
  }
  void Remove(uint64_t begin, uint64_t end) {
    if (begin == end) return;
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second > begin) --next;
    while (next != ranges_.end() && next->first < end) {
      const auto [first, last] = *next;
      next = ranges_.erase(next);
      if (first < begin) ranges_.emplace(first, begin);
      if (last > end) next = ranges_.emplace(end, last).first;
    }
  }
  // The first range of [begin, end) that is not in the set.
  std::optional<std::pair<uint64_t, uint64_t>> FirstGap(uint64_t begin, uint64_t end) const {
    auto next = ranges_.upper_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second > begin) begin = std::prev(next)->second;
    if (begin >= end) return std::nullopt;
    return std::pair(begin, next == ranges_.end() ? end : std::min(end, next->first));
  }
  // Calls `f(begin, end)` for each part of the set in [begin, end), by address.
  template <typename F>
  void ForEach(uint64_t begin, uint64_t end, F&& f) const {
    auto at = ranges_.upper_bound(begin);
    if (at != ranges_.begin()) --at;
    for (; at != ranges_.end() && at->first < end; ++at) {
      if (at->second > begin) f(std::max(begin, at->first), std::min(end, at->second));
    }
  }
  void Clear() { ranges_.clear(); }

 private:
  std::map<uint64_t, uint64_t> ranges_;  // begin to end; neither overlap nor touch
};

}  // namespace tfrt::gpu::cuda_double

#endif  // TFRT_TEST_GPU_VENDOR_DRIVER_INTERVAL_SET_H_
