// ScopeProbe: asked at the begin and at the end of kernels what the counters of their thread say,
// so that a session has beside a kernel what it cost.
#ifndef TFRT_TRACING_SCOPE_PROBE_H_
#define TFRT_TRACING_SCOPE_PROBE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

inline constexpr size_t kMaxProbeValues = 8;

// What a thread's counters said at a moment. What the values are is the probe's matter.
struct ProbeSample {
  uint64_t source = 0;  // of which counters; samples of two sources are not compared
  std::array<uint64_t, kMaxProbeValues> values = {};
};

// An event that a probe makes of two samples.
struct ProbeRecord {
  const RecordType* type = nullptr;  // of kind kEvent
  std::array<uint64_t, kMaxArguments> arguments = {};
};
inline constexpr size_t kMaxProbeRecords = 2;

// Called on the threads that record, at once on several of them. Never destroyed: calls may be in
// flight whenever it is taken away. What it does must not be recorded.
class ScopeProbe {
 public:
  virtual ~ScopeProbe() = default;
  // What the calling thread's counters say now. False: nothing; then there is nothing to tell of
  // the scope.
  virtual bool Read(ProbeSample* sample) = 0;
  // What there is to tell of a scope between two samples of one source, on the thread that took
  // them. Returns how many of `records` it has set.
  virtual size_t Compare(const ProbeSample& begin, const ProbeSample& end,
                         std::span<ProbeRecord, kMaxProbeRecords> records) = 0;
};

// Scopes that are inside of so many others of a thread which the probe is asked about have no
// events.
inline constexpr size_t kMaxProbedScopes = 16;

// While a session records kernels, `probe` is asked about each scope (RecordKind::kScope) of the
// stack level kernel that begins from now on, on the scope's thread; details and past scopes are
// not asked about. What it tells becomes events with the scope's name, inside of the scope, at its
// end. A scope that is dropped, or that outlives its session, has none. Null: no probe; in a fork
// there is none either. There is one; the next one takes its place. Costs nothing where there is
// none.
void SetScopeProbe(ScopeProbe* probe);

}  // namespace tfrt::tracing

#endif  // TFRT_TRACING_SCOPE_PROBE_H_
