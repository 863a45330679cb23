// Exact sets of time: unions of half-open intervals [begin, end) of nanoseconds.
#ifndef TFRT_PROFILER_INTERVALS_H_
#define TFRT_PROFILER_INTERVALS_H_

#include <cstdint>
#include <span>
#include <vector>

namespace tfrt::profiler {

struct Interval {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t length() const { return end - begin; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Disjoint intervals that do not touch, ordered by begin, so each set has only one form. The
// operations take time linear in the number of intervals.
class IntervalSet {
 public:
  IntervalSet() = default;
  // Makes the union of any intervals. Intervals that are empty, or end before they begin, add
  // nothing. Takes time to sort them.
  explicit IntervalSet(std::vector<Interval> intervals);

  std::span<const Interval> intervals() const { return intervals_; }
  bool empty() const { return intervals_.empty(); }
  // Returns the measure: the total length.
  int64_t length() const;
  bool Contains(int64_t time) const;

  friend IntervalSet Union(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet Intersection(const IntervalSet& a, const IntervalSet& b);
  // Returns the times that are in `a` and not in `b`.
  friend IntervalSet Difference(const IntervalSet& a, const IntervalSet& b);
  friend bool operator==(const IntervalSet&, const IntervalSet&) = default;

 private:
  std::vector<Interval> intervals_;
};

IntervalSet Union(const IntervalSet& a, const IntervalSet& b);
IntervalSet Intersection(const IntervalSet& a, const IntervalSet& b);
IntervalSet Difference(const IntervalSet& a, const IntervalSet& b);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_INTERVALS_H_
