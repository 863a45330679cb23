#include "tfrt/profiler/intervals.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tfrt::profiler {
namespace {

// Adds an interval that begins where the last one does, or later.
void Append(std::vector<Interval>* intervals, Interval next) {
  if (next.end <= next.begin) return;
  if (!intervals->empty() && next.begin <= intervals->back().end) {
    intervals->back().end = std::max(intervals->back().end, next.end);
  } else {
    intervals->push_back(next);
  }
}

}  // namespace

IntervalSet::IntervalSet(std::vector<Interval> intervals) {
  std::ranges::sort(intervals, {}, &Interval::begin);
  size_t size = 0;
  for (const Interval& next : intervals) {
    if (next.end <= next.begin) continue;
    if (size > 0 && next.begin <= intervals[size - 1].end) {
      intervals[size - 1].end = std::max(intervals[size - 1].end, next.end);
    } else {
      intervals[size++] = next;
    }
  }
  intervals.resize(size);
  intervals_ = std::move(intervals);
}

int64_t IntervalSet::length() const {
  int64_t length = 0;
  for (const Interval& interval : intervals_) length += interval.length();
  return length;
}

bool IntervalSet::Contains(int64_t time) const {
  auto after = std::ranges::upper_bound(intervals_, time, {}, &Interval::begin);
  return after != intervals_.begin() && time < std::prev(after)->end;
}

IntervalSet Union(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet result;
  size_t i = 0, j = 0;
  while (i < a.intervals_.size() || j < b.intervals_.size()) {
    const bool take_a = j == b.intervals_.size() ||
                        (i < a.intervals_.size() && a.intervals_[i].begin <= b.intervals_[j].begin);
    Append(&result.intervals_, take_a ? a.intervals_[i++] : b.intervals_[j++]);
  }
  return result;
}

IntervalSet Intersection(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet result;
  size_t i = 0, j = 0;
  while (i < a.intervals_.size() && j < b.intervals_.size()) {
    const Interval &x = a.intervals_[i], &y = b.intervals_[j];
    const Interval both = {std::max(x.begin, y.begin), std::min(x.end, y.end)};
    if (both.end > both.begin) result.intervals_.push_back(both);
    ++(x.end < y.end ? i : j);
  }
  return result;
}

IntervalSet Difference(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet result;
  size_t j = 0;
  for (Interval rest : a.intervals_) {
    while (j < b.intervals_.size() && b.intervals_[j].end <= rest.begin) ++j;
    for (size_t k = j; k < b.intervals_.size() && b.intervals_[k].begin < rest.end; ++k) {
      if (b.intervals_[k].begin > rest.begin) {
        result.intervals_.push_back({rest.begin, b.intervals_[k].begin});
      }
      rest.begin = std::max(rest.begin, b.intervals_[k].end);
    }
    if (rest.end > rest.begin) result.intervals_.push_back(rest);
  }
  return result;
}

}  // namespace tfrt::profiler
