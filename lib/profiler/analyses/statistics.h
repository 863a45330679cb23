// Statistics over many runs of one thing. Shares are computed from such numbers, never the other
// way round: percentages are never averaged.
#ifndef TFRT_LIB_PROFILER_ANALYSES_STATISTICS_H_
#define TFRT_LIB_PROFILER_ANALYSES_STATISTICS_H_

#include <cstddef>
#include <span>
#include <vector>

namespace tfrt::profiler {

inline constexpr double kTrimFraction = 0.2;

// The mean without the extremes, and the values that it was made from.
struct TrimmedMean {
  double mean = 0;
  size_t n = 0;            // values, including those that were left out
  size_t num_trimmed = 0;  // left out on each side
  double min = 0, max = 0;
  // The standard deviation of all values (n - 1) divided by their mean; 0 for fewer than two, or a
  // mean of 0.
  double cv = 0;
};

// Sorts, leaves out the floor(fraction * n) lowest and as many of the highest values, and takes the
// mean of the rest. Values that are no finite numbers do not count. A fraction outside of [0, 0.5)
// is moved into it; at least one value remains. Without values the result is empty, with n = 0.
TrimmedMean TrimmedMeanOf(std::vector<double> values, double fraction = kTrimFraction);

// Interpolates linearly between the values in order: of n values, takes the one at q * (n - 1), for
// q from 0 to 1. Returns 0 without values.
double Quantile(std::span<const double> values, double q);
double Median(std::span<const double> values);

// Returns the probability of ranks at least this uneven, on either side, if both are values of one
// thing. This is the two-sided test of Mann and Whitney; equal values get the mean of their ranks.
// (On a test of whether one of two random variables is stochastically larger than the other, Annals
// of Mathematical Statistics 18, 1947.)
//
// Exact for up to 40 values in all, by the shift algorithm of Streitberg and Roehmel. (Exact
// distributions for permutation and rank tests, Statistical Software Newsletter 12, 1986.) For more
// values it uses the normal distribution with corrections for continuity and ties. Values that are
// no finite numbers do not count; returns 1 without values on a side.
double RankTest(std::span<const double> x, std::span<const double> y);
// Returns the smallest possible RankTest of so many values: all of one side are below all of the
// other.
double SmallestRankTest(size_t num_x, size_t num_y);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_STATISTICS_H_
