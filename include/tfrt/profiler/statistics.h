// What many runs of one thing say together. Shares are made of such numbers, never the other way
// round: there is no mean of percentages.
#ifndef TFRT_PROFILER_STATISTICS_H_
#define TFRT_PROFILER_STATISTICS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace tfrt::profiler {

inline constexpr double kTrimFraction = 0.2;

// The mean without the extremes, and what it was made of.
struct TrimmedMean {
  double mean = 0;
  size_t n = 0;            // values, with those that were left out
  size_t num_trimmed = 0;  // left out on each side
  double min = 0, max = 0;
  // The standard deviation of all values (n - 1) over their mean; 0 for fewer than two, or a mean
  // of 0.
  double cv = 0;
};

// Sorts, leaves out the floor(fraction * n) lowest and as many of the highest, takes the mean of
// the rest; values that are no finite numbers do not count. A fraction outside of [0, 0.5) is moved
// there; one value at least is left. Nothing, n = 0, of no values.
TrimmedMean TrimmedMeanOf(std::vector<double> values, double fraction = kTrimFraction);

// Between the values in order, linearly: of n values the one at q * (n - 1). q from 0 to 1. 0 of no
// values.
double Quantile(std::span<const double> values, double q);
double Median(std::span<const double> values);
// The median of the distances from the median, as it is: a normal distribution's deviation is
// kNormalDeviations times as much.
double MedianAbsoluteDeviation(std::span<const double> values);
inline constexpr double kNormalDeviations = 1.4826;

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_STATISTICS_H_
