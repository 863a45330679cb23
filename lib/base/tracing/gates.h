// Gates of records: the sinks up to a level, the session, and the probe of kernels.
#ifndef TFRT_LIB_BASE_TRACING_GATES_H_
#define TFRT_LIB_BASE_TRACING_GATES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing::internal {

// Beside kForSession, in gates of kernels: a probe (scope_probe.h) is asked about scopes.
inline constexpr uint8_t kForProbe = 4;

// The records that a session takes.
struct SessionGate {
  StackLevel max_level;
  bool queue_events;
  bool details;
};

// Open and close the gates. Any thread.
void SetSinkGate(Level highest);
void SetSessionGate(std::optional<SessionGate> session);
void SetProbeGate(bool has_probe);

// Tell the sinks of the level. PushScope returns what PopScope needs: 0 if no sink was told.
uint64_t PushScope(Level level, std::string_view name);
void PopScope(Level level, uint64_t serial);
void PushEvent(Level level, std::string_view name);

// For scopes whose gate had kForProbe: asks the probe when they begin, and when they end, before
// the scope's own record is written. A scope that is dropped is forgotten.
void BeginProbe(const Record& scope, uint32_t generation);
void EndProbe(const Record& scope, uint32_t generation, Ticks end);
void DropProbe(const Record& scope, uint32_t generation);

}  // namespace tfrt::tracing::internal

#endif  // TFRT_LIB_BASE_TRACING_GATES_H_
