// The tracing scope interface: scopes and events of a program, named by texts, and the sinks that
// hear of them and of the library's own records (record.h). With tracing off a scope costs one
// relaxed load and a predictable branch; a level above TFRT_MAX_TRACING_LEVEL costs nothing.
#ifndef TFRT_TRACING_TRACING_H_
#define TFRT_TRACING_TRACING_H_

#include <atomic>
#include <string_view>

#include "tfrt/tracing/record.h"

namespace tfrt::tracing {

// Receives scopes from any thread, concurrently, on the thread that opens or closes them. Push and
// Pop of one thread nest, and each Pop is that of a Push that this sink has received. What a sink's
// function itself does is not traced. It must not add or remove sinks.
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

// The highest level any sink asked for.
extern std::atomic<int> active_level;

// The record types of the scopes and events below. A level that is not compiled in has none.
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

// Whether a sink listens at this level.
inline bool IsEnabled(Level level) {
  // relaxed: being a few scopes late in noticing a new sink is fine; the sink list has its own
  // lock.
  return level <= kMaxLevel &&
         static_cast<int>(level) <= internal::active_level.load(std::memory_order_relaxed);
}

// An event of the program, for sinks of the level and for the session.
inline void RecordEvent(Level level, std::string_view name) {
  RecordEvent(internal::TypeOf(internal::kEventTypes, level), name, RecordLinks());
}

// Opens a scope from construction to destruction. `name` is a string or a callable that returns
// one; the callable runs only when tracing is on. For names that are made anew each time: what is
// recorded is interned (name.h).
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

#endif  // TFRT_TRACING_TRACING_H_
