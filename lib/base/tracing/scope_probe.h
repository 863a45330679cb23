// ScopeProbe: reads the counters of a thread at the begin and at the end of its kernels. A session
// then records the cost of each kernel beside it.
#ifndef TFRT_LIB_BASE_TRACING_SCOPE_PROBE_H_
#define TFRT_LIB_BASE_TRACING_SCOPE_PROBE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

inline constexpr size_t kMaxProbeValues = 8;

// The counters of a thread at a moment. The probe defines the meaning of the values.
struct ProbeSample {
  uint64_t source = 0;  // identifies the counters; samples of two sources are not compared
  std::array<uint64_t, kMaxProbeValues> values = {};
};

// An event that a probe makes from two samples.
struct ProbeRecord {
  const RecordType* type = nullptr;  // of kind kEvent
  std::array<uint64_t, kMaxArguments> arguments = {};
};
inline constexpr size_t kMaxProbeRecords = 2;

// Called on the threads that record, on several of them at once. Never destroyed: calls may be in
// flight when it is removed. Its own work must not be recorded.
class ScopeProbe {
 public:
  virtual ~ScopeProbe() = default;
  // Reads the calling thread's counters now. Returns false if it cannot; the scope then has no
  // events.
  virtual bool Read(ProbeSample* sample) = 0;
  // Makes the events of a scope from two samples of one source, on the thread that took them.
  // Returns how many of `records` it has set.
  virtual size_t Compare(const ProbeSample& begin, const ProbeSample& end,
                         std::span<ProbeRecord, kMaxProbeRecords> records) = 0;
};

// The largest number of nested probed scopes per thread. Scopes inside of so many others have no
// events.
inline constexpr size_t kMaxProbedScopes = 16;

// Sets the only probe, replacing an earlier one; null removes it. A forked process has none.
// Without a probe scopes cost nothing extra.
//
// While a session records kernels, `probe` is called for each new scope of the stack level kernel
// (RecordKind::kScope), on the scope's thread. It is not called for details and past scopes. Its
// results become events with the scope's name, inside of the scope, at its end. A scope that is
// dropped, or that outlives its session, has none.
void SetScopeProbe(ScopeProbe* probe);

}  // namespace tfrt::tracing

#endif  // TFRT_LIB_BASE_TRACING_SCOPE_PROBE_H_
