// CounterProbe: counters of the threads that run kernels, while a session of level metrics records.
#ifndef TFRT_LIB_PROFILER_COLLECT_COUNTER_PROBE_H_
#define TFRT_LIB_PROFILER_COLLECT_COUNTER_PROBE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "counter_group.h"
#include "lib/base/tracing/scope_probe.h"
#include "perf_calls.h"
#include "tfrt/profiler/profile_consumer.h"

namespace tfrt::profiler {

// Why a counter is not available, by the errno of opening it, and how to solve that.
struct CounterFailure {
  std::string reason, remedy;
};
CounterFailure CounterFailureOf(int error_number, CpuCounter counter);

// The counting state of a session. Lives until the process ends: threads may read it late.
struct CountingSession {
  PerfCalls* calls;
  CounterSet counters;
  // For the processor's counters and for the system's; null: there are none.
  std::array<const tracing::RecordType*, tracing::kMaxProbeRecords> types;
};

// The process's only probe. A thread that records its first kernel of a session opens its own group
// of counters. The group is closed when the session or the thread ends. All threads count the same
// counters: those available to the thread that began. A thread that cannot have all of them has
// none.
class CounterProbe final : public tracing::ScopeProbe {
 public:
  static CounterProbe& Get();
  CounterProbe(const CounterProbe&) = delete;
  CounterProbe& operator=(const CounterProbe&) = delete;

  // Returns the counters available to the calling thread, and errors for the others. Any thread may
  // call it.
  static CounterSet Examine(PerfCalls* calls, std::array<int, kNumCpuCounters>* errors);

  // Begins to count with `calls`, which are borrowed until End. Returns the missing counters as
  // problems for the profile.
  // Called by one thread at a time, after the End of the previous session.
  std::vector<Problem> Begin(PerfCalls* calls);
  // Closes all groups. Returns all other problems.
  std::vector<Problem> End();

  bool Read(tracing::ProbeSample* sample) override;
  size_t Compare(const tracing::ProbeSample& begin, const tracing::ProbeSample& end,
                 std::span<tracing::ProbeRecord, tracing::kMaxProbeRecords> records) override;

 private:
  CounterProbe() = default;

  // Null: none counts. release and acquire: a thread that sees the session sees its contents.
  std::atomic<const CountingSession*> session_{nullptr};
  // relaxed: only numbers.
  std::atomic<uint64_t> num_estimates_{0}, num_without_registers_{0}, num_unreadable_{0};
  std::atomic<uint64_t> num_threads_without_{0};
  std::atomic<int> thread_error_{0};
};

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_COLLECT_COUNTER_PROBE_H_
