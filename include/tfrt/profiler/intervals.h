// Sets of time, exact: unions of half-open intervals [begin, end) of nanoseconds.
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

// Disjoint intervals that do not touch, by begin: one set has one form. The operations take time in
// the number of intervals.
class IntervalSet {
 public:
  IntervalSet() = default;
  // The union of any intervals; those that are empty, or end before they begin, add nothing. Takes
  // time to sort them.
  explicit IntervalSet(std::vector<Interval> intervals);

  std::span<const Interval> intervals() const { return intervals_; }
  bool empty() const { return intervals_.empty(); }
  // The measure: how long it is in all.
  int64_t length() const;
  bool Contains(int64_t time) const;

  friend IntervalSet Union(const IntervalSet& a, const IntervalSet& b);
  friend IntervalSet Intersection(const IntervalSet& a, const IntervalSet& b);
  // What is in `a` and not in `b`.
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
