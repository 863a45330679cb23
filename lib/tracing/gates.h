// Who wants records: the sinks up to a level, and the session.
#ifndef TFRT_LIB_TRACING_GATES_H_
#define TFRT_LIB_TRACING_GATES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing::internal {

// What a session records.
struct SessionGate {
  StackLevel max_level;
  bool queue_events;
  bool details;
};

// Open and close the gates. Any thread.
void SetSinkGate(Level highest);
void SetSessionGate(std::optional<SessionGate> session);

// Tell the sinks of the level. PushScope returns what PopScope needs: 0 if no sink was told.
uint64_t PushScope(Level level, std::string_view name);
void PopScope(Level level, uint64_t serial);
void PushEvent(Level level, std::string_view name);

}  // namespace tfrt::tracing::internal

#endif  // TFRT_LIB_TRACING_GATES_H_
