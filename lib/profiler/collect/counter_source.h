// The source of sessions of level metrics: counters of kernels on processors.
#ifndef TFRT_LIB_PROFILER_COLLECT_COUNTER_SOURCE_H_
#define TFRT_LIB_PROFILER_COLLECT_COUNTER_SOURCE_H_

#include <vector>

#include "counter_probe.h"
#include "perf_calls.h"
#include "tfrt/profiler/source.h"

namespace tfrt::profiler {

// The counts themselves come with the runtime's records; this source only reports missing ones.
// Only one is started at a time.
class CounterSource final : public Source {
 public:
  // `calls` is borrowed.
  explicit CounterSource(PerfCalls* calls = &SystemPerfCalls()) : calls_(*calls) {}
  ~CounterSource() override { Stop(); }

  Status Start(Level level) override;
  void Drain(EventStream& stream) override;
  void Stop() override;

 private:
  PerfCalls& calls_;
  bool is_counting_ = false;
  std::vector<Problem> problems_;  // to be reported
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_COUNTER_SOURCE_H_
