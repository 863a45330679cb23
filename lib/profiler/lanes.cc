#include "lib/profiler/lanes.h"

#include <algorithm>

namespace tfrt::profiler {

void Lane::Push(const Outer& outer, int64_t filled) {
  if (outer_.size() >= kMaxOuter) Forget();
  outer_.push_back(outer);
  inner_.clear();
  inner_.push_back({outer.begin, outer.end, filled});
}

// Between two slices with one parent nothing begins that will contain only the second one: they
// become one. If that does not help, the older half does, whatever its parents are.
void Lane::Forget() {
  constexpr size_t kKept = kMaxOuter / 8;
  auto merge = [&](size_t end, bool all) {
    size_t last = 0;
    for (size_t i = 1; i < outer_.size(); ++i) {
      const Outer next = outer_[i];
      Outer& before = outer_[last];
      const bool is_sibling = next.parent_id != 0 && next.parent_id == before.parent_id;
      if (i < end && (all || is_sibling)) {
        before.end = next.end;
        if (!is_sibling) before.parent_id = 0;
      } else {
        outer_[++last] = next;
      }
    }
    outer_.resize(last + 1);
  };
  merge(outer_.size() - kKept, false);
  if (outer_.size() > kMaxOuter / 2) merge(outer_.size() / 2, true);
}

// It contains the last slices, or is behind them.
std::optional<int64_t> Lane::PlaceAround(int64_t begin, int64_t end, uint64_t parent_id) {
  int64_t at = begin;
  size_t kept = outer_.size();
  for (; kept > 0; --kept) {
    const Outer& last = outer_[kept - 1];
    if (last.begin > at) continue;
    if (last.begin == at && last.end == at && at != end) continue;  // over before this one begins
    if (last.end <= at) break;
    // Slices that begin together, the inner one of which is in the file already.
    if (last.exact_begin != begin || last.begin <= 0 || begin - last.begin >= kMaxEarlier) {
      return std::nullopt;
    }
    at = last.begin - 1;
  }
  const int64_t filled = kept == outer_.size() ? at : outer_.back().end;
  outer_.resize(kept);
  Push({at, begin, end, parent_id}, filled);
  return at;
}

// It is inside of the last outer slice, behind all that are there already or inside of the last
// one.
bool Lane::PlaceInside(int64_t begin, int64_t end) {
  size_t depth = 0;
  for (; depth < inner_.size(); ++depth) {
    const Inner& slice = inner_[depth];
    if (begin < slice.begin || end > slice.end) return false;
    if (begin >= slice.filled) break;
    if (depth + 1 == inner_.size()) return false;
  }
  if (depth == inner_.size() || depth + 1 >= kMaxDepth) return false;
  inner_.resize(depth + 1);
  inner_[depth].filled = end;
  inner_.push_back({begin, end, begin});
  return true;
}

// It is in a gap. The slice behind the gap begins later: its begin comes first in the file.
bool Lane::PlaceBetween(int64_t begin, int64_t end, uint64_t parent_id) {
  auto next = std::ranges::upper_bound(outer_, end, {}, &Outer::begin);
  if (next != outer_.begin() && std::prev(next)->end > begin) return false;
  if (next != outer_.begin() && std::prev(next)->begin == end) return false;
  if (outer_.size() >= kMaxOuter) return false;
  outer_.insert(next, {begin, begin, end, parent_id});
  return true;
}

std::optional<int64_t> Lane::Place(int64_t begin, int64_t end, uint64_t parent_id) {
  if (outer_.empty() || begin >= outer_.back().end) {
    Push({begin, begin, end, parent_id}, begin);
    return begin;
  }
  const Outer& last = outer_.back();
  if (end >= last.end && (begin < last.begin || end > last.end)) {
    return PlaceAround(begin, end, parent_id);
  }
  if (begin >= last.begin && end <= last.end) {
    if (PlaceInside(begin, end)) return begin;
    return std::nullopt;
  }
  if (end < last.begin && PlaceBetween(begin, end, parent_id)) return begin;
  return std::nullopt;
}

std::optional<TrackLanes::LanePosition> TrackLanes::Find(int64_t begin, int64_t end,
                                                         uint64_t parent_id) {
  for (size_t i = 0; i < kMaxLanes; ++i) {
    if (i == lanes_.size()) lanes_.emplace_back();
    if (std::optional<int64_t> at = lanes_[i].Place(begin, end, parent_id))
      return LanePosition{i, *at};
  }
  return std::nullopt;
}

}  // namespace tfrt::profiler
