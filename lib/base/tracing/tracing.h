// The tracing scope interface: scopes and events of a program, named by texts. Sinks receive them
// and the library's own records (record.h). With tracing off a scope costs one relaxed load and a
// predictable branch. A level above TFRT_MAX_TRACING_LEVEL costs nothing.
#ifndef TFRT_LIB_BASE_TRACING_TRACING_H_
#define TFRT_LIB_BASE_TRACING_TRACING_H_

#include <atomic>
#include <string_view>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

// Receives scopes from any thread, concurrently, on the thread that opens or closes them. Push and
// Pop of one thread nest. Each Pop matches a Push that this sink has received. The work of a sink's
// own functions is not recorded. A sink must not add or remove sinks.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void PushScope(std::string_view name) = 0;
  virtual void PopScope() = 0;
  virtual void RecordEvent(std::string_view name) = 0;
};

// Adds a sink for scopes of at most `level` that begin from now on. The sink must live until
// RemoveSink returns; scopes open at that moment are not closed for it. A level above kMaxLevel is
// clamped with a warning.
void AddSink(Sink* sink, Level level);
void RemoveSink(Sink* sink);

namespace internal {

// The highest level of any sink.
extern std::atomic<int> active_level;

// The record types of the scopes and events below. A level that is not compiled in has no records.
constexpr RecordType ProgramType(std::string_view name, StackLevel level, RecordKind kind,
                                 Level sink_level) {
  return {.name = name,
          .level = level,
          .kind = sink_level <= kMaxLevel ? kind : RecordKind::kNone,
          .sink_level = sink_level};
}
inline constexpr RecordType kScopeTypes[] = {
    ProgramType("scope", StackLevel::kModel, RecordKind::kScope, Level::kDefault),
    ProgramType("scope", StackLevel::kOp, RecordKind::kScope, Level::kVerbose),
    ProgramType("scope", StackLevel::kKernel, RecordKind::kScope, Level::kDebug),
};
inline constexpr RecordType kEventTypes[] = {
    ProgramType("event", StackLevel::kModel, RecordKind::kEvent, Level::kDefault),
    ProgramType("event", StackLevel::kOp, RecordKind::kEvent, Level::kVerbose),
    ProgramType("event", StackLevel::kKernel, RecordKind::kEvent, Level::kDebug),
};
constexpr const RecordType& TypeOf(const RecordType (&types)[3], Level level) {
  return types[level == Level::kNone ? 0 : static_cast<int>(level) - 1];
}

}  // namespace internal

// Returns whether a sink receives this level.
inline bool IsEnabled(Level level) {
  // relaxed: a new sink may be noticed a few scopes late. The sink list has its own lock.
  return level <= kMaxLevel &&
         static_cast<int>(level) <= internal::active_level.load(std::memory_order_relaxed);
}

// Records an event of the program, for sinks of the level and for the session.
inline void RecordEvent(Level level, std::string_view name) {
  RecordEvent(internal::TypeOf(internal::kEventTypes, level), name, RecordLinks());
}

// Opens a scope from construction to destruction. The `name` is a string or a callable that returns
// one. The callable runs only when tracing is on. For names that are made each time: recorded names
// are interned (name.h).
class Scope {
 public:
  template <typename Name>
  Scope(Level level, const Name& name)
      : record_(internal::TypeOf(internal::kScopeTypes, level), name) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  RecordScope record_;
};

}  // namespace tfrt::tracing

#endif  // TFRT_LIB_BASE_TRACING_TRACING_H_
