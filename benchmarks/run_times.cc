// tfrt_benchmarks: the wall-clock times of all cases. Takes Google Benchmark's options.
#include <benchmark/benchmark.h>

#include "case.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const tfrt::bench::Case& item : tfrt::bench::AllCases()) {
    auto* benchmark =
        benchmark::RegisterBenchmark(item.name.c_str(), [item](benchmark::State& state) {
          if (item.prepare_timed) {
            std::function<double()> run = item.prepare_timed();
            for (auto _ : state) state.SetIterationTime(run());
          } else {
            std::function<void()> run = item.prepare();
            for (auto _ : state) run();
          }
          state.counters["ns_per_unit"] =
              benchmark::Counter(item.units * 1e-9, benchmark::Counter::kIsIterationInvariantRate |
                                                        benchmark::Counter::kInvert);
        });
    if (item.prepare_timed) {
      benchmark->UseManualTime();
    } else {
      benchmark->UseRealTime();
    }
  }
  benchmark::RunSpecifiedBenchmarks();
}
