#include "gates.h"

#include <mutex>

namespace tfrt::tracing {

constinit std::atomic<uint8_t> internal::gates[internal::kNumRows]
                                              [static_cast<size_t>(Level::kDebug) + 1] = {};

constinit std::atomic<uint8_t> internal::any_gate{0};
constinit std::atomic<uint8_t> internal::session_gate{0};

namespace {

// All under the mutex.
constinit std::mutex mutex;
constinit Level highest_sink_level = Level::kNone;
constinit std::optional<internal::SessionGate> current_session;
constinit bool has_probe = false;

bool IsWanted(const internal::SessionGate& session, size_t row) {
  if (row == internal::kQueueRow) return session.queue_events;
  // Details are recorded of all ops.
  if (row == internal::kDetailRow) return session.details && session.max_level >= StackLevel::kOp;
  return row <= static_cast<size_t>(session.max_level);
}

// relaxed stores: who reads them may be late.
void Update() {
  internal::any_gate.store(current_session || highest_sink_level != Level::kNone,
                           std::memory_order_relaxed);
  internal::session_gate.store(current_session.has_value(), std::memory_order_relaxed);
  for (size_t row = 0; row < internal::kNumRows; ++row) {
    const bool records = current_session && IsWanted(*current_session, row);
    const bool probes = records && has_probe && row == static_cast<size_t>(StackLevel::kKernel);
    const int for_session =
        (records ? internal::kForSession : 0) | (probes ? internal::kForProbe : 0);
    for (int level = 0; level <= static_cast<int>(Level::kDebug); ++level) {
      bool sinks = level > 0 && level <= static_cast<int>(highest_sink_level);
      internal::gates[row][level].store(
          static_cast<uint8_t>((sinks ? internal::kForSinks : 0) | for_session),
          std::memory_order_relaxed);
    }
  }
}

}  // namespace

void internal::SetSinkGate(Level highest) {
  std::lock_guard lock(mutex);
  highest_sink_level = highest;
  Update();
}

void internal::SetSessionGate(std::optional<SessionGate> session) {
  std::lock_guard lock(mutex);
  current_session = session;
  Update();
}

void internal::SetProbeGate(bool probe) {
  std::lock_guard lock(mutex);
  has_probe = probe;
  Update();
}

}  // namespace tfrt::tracing
