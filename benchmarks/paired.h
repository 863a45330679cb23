// Times of two ways to do the same, taken in turns, so that what disturbs the machine disturbs
// both.
#ifndef TFRT_BENCHMARKS_PAIRED_H_
#define TFRT_BENCHMARKS_PAIRED_H_

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace tfrt::bench {

inline double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

inline double Seconds(const std::function<void()>& run, int times) {
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / times;
}

// Runs of `run` that take about `seconds` together; at least one. Runs it some times first.
inline int RunsPer(const std::function<void()>& run, double seconds) {
  Seconds(run, 2);
  double one = Seconds(run, 1);
  int runs = std::max(1, static_cast<int>(std::min(seconds / one, 1e6)));
  return std::max(1, static_cast<int>(runs * std::min(1.0, seconds / Seconds(run, runs) / runs)));
}

// Medians over rounds in which every way is measured once, in an order that turns.
struct Paired {
  std::vector<double> seconds;     // of one run, by way
  std::vector<double> over_first;  // by way: median of (its time / the first's) in the same round
};
inline Paired MeasurePaired(const std::vector<std::function<void()>>& ways, int rounds,
                            double slice_seconds = 2e-3) {
  std::vector<int> runs;
  for (const auto& way : ways) runs.push_back(RunsPer(way, slice_seconds));
  std::vector<std::vector<double>> times(ways.size()), ratios(ways.size());
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> now(ways.size());
    for (size_t i = 0; i < ways.size(); ++i) {
      size_t way = (i + static_cast<size_t>(round)) % ways.size();
      now[way] = Seconds(ways[way], runs[way]);
    }
    for (size_t i = 0; i < ways.size(); ++i) {
      times[i].push_back(now[i]);
      ratios[i].push_back(now[i] / now[0]);
    }
  }
  Paired result;
  for (size_t i = 0; i < ways.size(); ++i) {
    result.seconds.push_back(Median(times[i]));
    result.over_first.push_back(Median(ratios[i]));
  }
  return result;
}

}  // namespace tfrt::bench

#endif  // TFRT_BENCHMARKS_PAIRED_H_
