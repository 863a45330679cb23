#include "tfrt/profiler/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tfrt::profiler {
namespace {

std::vector<double> SortedFinite(std::span<const double> values) {
  std::vector<double> sorted;
  std::ranges::copy_if(values, std::back_inserter(sorted),
                       [](double v) { return std::isfinite(v); });
  std::ranges::sort(sorted);
  return sorted;
}

double MeanOf(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TrimmedMean TrimmedMeanOf(std::vector<double> values, double fraction) {
  const std::vector<double> sorted = SortedFinite(values);
  TrimmedMean result;
  result.n = sorted.size();
  if (sorted.empty()) return result;
  result.min = sorted.front();
  result.max = sorted.back();
  // What is an integer on paper may be a little less in binary.
  const double cut = std::clamp(fraction, 0.0, 0.5) * static_cast<double>(result.n) + 1e-9;
  result.num_trimmed = std::min(static_cast<size_t>(cut), (result.n - 1) / 2);
  result.mean =
      MeanOf(std::span(sorted).subspan(result.num_trimmed, result.n - 2 * result.num_trimmed));
  const double mean = MeanOf(sorted);
  if (result.n < 2 || mean == 0) return result;
  double squares = 0;
  for (double value : sorted) squares += (value - mean) * (value - mean);
  result.cv = std::sqrt(squares / static_cast<double>(result.n - 1)) / std::abs(mean);
  return result;
}

double Quantile(std::span<const double> values, double q) {
  const std::vector<double> sorted = SortedFinite(values);
  if (sorted.empty()) return 0;
  const double place = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double Median(std::span<const double> values) { return Quantile(values, 0.5); }

double MedianAbsoluteDeviation(std::span<const double> values) {
  const double median = Median(values);
  std::vector<double> distances;
  for (double value : values) {
    if (std::isfinite(value)) distances.push_back(std::abs(value - median));
  }
  return Median(distances);
}

}  // namespace tfrt::profiler
