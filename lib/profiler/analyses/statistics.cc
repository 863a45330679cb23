#include "statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
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
  // A product that is an integer on paper may be a little less in binary.
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

double RankTest(std::span<const double> x, std::span<const double> y) {
  const std::vector<double> first = SortedFinite(x), second = SortedFinite(y);
  const size_t n = first.size(), total = n + second.size();
  if (first.empty() || second.empty()) return 1;
  std::vector<double> all(first);
  all.insert(all.end(), second.begin(), second.end());
  std::ranges::sort(all);
  // Twice the ranks from 1 on, so that those of equal values, which share their mean, are integers.
  std::vector<size_t> ranks(total);
  size_t sum = 0;   // of the first side
  double ties = 0;  // of t^3 - t
  for (size_t begin = 0, end = 0; begin < total; begin = end) {
    while (end < total && all[end] == all[begin]) ++end;
    std::fill(ranks.begin() + static_cast<ptrdiff_t>(begin),
              ranks.begin() + static_cast<ptrdiff_t>(end), begin + end + 1);
    const auto [from, to] = std::ranges::equal_range(first, all[begin]);
    sum += static_cast<size_t>(to - from) * (begin + end + 1);
    const auto t = static_cast<double>(end - begin);
    ties += t * t * t - t;
  }
  const auto all_n = static_cast<double>(total), first_n = static_cast<double>(n);
  const double distance = std::abs(static_cast<double>(sum) - first_n * (all_n + 1));  // doubled
  constexpr size_t kMostExact = 40;
  if (total > kMostExact) {
    const double variance =
        first_n * (all_n - first_n) / 12 * (all_n + 1 - ties / (all_n * (all_n - 1)));
    if (!(variance > 0)) return 1;
    const double z = std::max(distance / 2 - 0.5, 0.0) / std::sqrt(variance);
    return std::erfc(z / std::numbers::sqrt2);
  }
  // ways[k][s]: in how many ways k values have ranks of the sum s.
  const size_t most = std::accumulate(ranks.begin(), ranks.end(), size_t{0});
  std::vector<std::vector<double>> ways(n + 1, std::vector<double>(most + 1));
  ways[0][0] = 1;
  for (size_t rank : ranks) {
    for (size_t k = n; k > 0; --k) {
      for (size_t s = most; s >= rank; --s) ways[k][s] += ways[k - 1][s - rank];
    }
  }
  double as_uneven = 0, any = 0;
  for (size_t s = 0; s <= most; ++s) {
    any += ways[n][s];
    if (std::abs(static_cast<double>(s) - first_n * (all_n + 1)) >= distance) {
      as_uneven += ways[n][s];
    }
  }
  return as_uneven / any;
}

double SmallestRankTest(size_t num_x, size_t num_y) {
  double ways = 1;  // to choose num_x of all
  for (size_t i = 1; i <= num_x; ++i) {
    ways *= static_cast<double>(num_y + i) / static_cast<double>(i);
  }
  return std::min(1.0, 2 / ways);
}

}  // namespace tfrt::profiler
