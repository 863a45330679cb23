// SimpleSink: logs each thread's first scopes and events with their times.
#ifndef TFRT_LIB_BASE_TRACING_SIMPLE_SINK_H_
#define TFRT_LIB_BASE_TRACING_SIMPLE_SINK_H_

#include <string_view>

#include "tracing.h"

namespace tfrt::tracing {

// Remembers up to kMaxActivities scopes and events per thread and logs them when the thread ends,
// in the order in which they began:
//   ::: [NAME]: A us -- B (C ns)     a scope from A to B microseconds that took C nanoseconds
//   ::: [NAME]: A us                 an event
//   Total activities collected: N
// Times count from the thread's first activity. Later activities are dropped. A scope still open at
// the end of its thread is logged without an end. The state belongs to the thread, not to the
// object: with several SimpleSinks all activities are added to one list.
class SimpleSink final : public Sink {
 public:
  static constexpr int kMaxActivities = 100;

  void PushScope(std::string_view name) override;
  void PopScope() override;
  void RecordEvent(std::string_view name) override;
};

}  // namespace tfrt::tracing

#endif  // TFRT_LIB_BASE_TRACING_SIMPLE_SINK_H_
