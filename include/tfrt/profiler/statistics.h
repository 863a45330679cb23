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

// How probable ranks as uneven as these are, on either side, if both are values of one thing: the
// two-sided test of Mann and Whitney (On a test of whether one of two random variables is
// stochastically larger than the other, Annals of Mathematical Statistics 18, 1947), equal values
// with the mean of their ranks. Exact for up to 40 values in all, by the shift algorithm of
// Streitberg and Roehmel (Exact distributions for permutation and rank tests, Statistical Software
// Newsletter 12, 1986); of more the normal distribution with corrections for continuity and ties.
// Values that are no finite numbers do not count; 1 without values on a side.
double RankTest(std::span<const double> x, std::span<const double> y);
// The least that RankTest can say of so many values: all of one side below all of the other.
double SmallestRankTest(size_t num_x, size_t num_y);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_STATISTICS_H_
