// The tracing scope interface. Libraries mark scopes; sinks (library tracing, or a user's own)
// receive them. With tracing off a scope costs one relaxed load and a predictable branch; a level
// above TFRT_MAX_TRACING_LEVEL costs nothing.
#ifndef TFRT_SUPPORT_TRACING_H_
#define TFRT_SUPPORT_TRACING_H_

#include <atomic>
#include <string>
#include <string_view>
#include <type_traits>

namespace tfrt::tracing {

enum class Level : int { kNone = 0, kDefault = 1, kVerbose = 2, kDebug = 3 };

#ifndef TFRT_MAX_TRACING_LEVEL_VALUE
#define TFRT_MAX_TRACING_LEVEL_VALUE 3
#endif
inline constexpr Level kMaxLevel = static_cast<Level>(TFRT_MAX_TRACING_LEVEL_VALUE);

// Receives scopes from any thread, concurrently. Push and Pop of one thread nest.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void PushScope(std::string_view name) = 0;
  virtual void PopScope() = 0;
  virtual void RecordEvent(std::string_view name) = 0;
};

// Adds a sink for scopes of at most `level`. The sink must live until RemoveSink returns; scopes
// open at that moment are not closed for it. A level above kMaxLevel is clamped with a warning.
void AddSink(Sink* sink, Level level);
void RemoveSink(Sink* sink);

namespace internal {
// The highest level any sink asked for.
extern std::atomic<int> active_level;
void Push(Level level, std::string_view name);
void Pop(Level level);
}  // namespace internal

inline bool IsEnabled(Level level) {
  // relaxed: being a few scopes late in noticing a new sink is fine; the sink list has its own
  // lock.
  return level <= kMaxLevel &&
         static_cast<int>(level) <= internal::active_level.load(std::memory_order_relaxed);
}

void RecordEvent(Level level, std::string_view name);

// Opens a scope from construction to destruction. `name` is a string or a callable that returns
// one; the callable runs only when tracing is on.
class Scope {
 public:
  template <typename Name>
  Scope(Level level, Name&& name) : level_(level), active_(IsEnabled(level)) {
    if (active_) [[unlikely]] {
      if constexpr (std::is_invocable_v<Name&>) {
        internal::Push(level, name());
      } else {
        internal::Push(level, name);
      }
    }
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() {
    if (active_) [[unlikely]]
      internal::Pop(level_);
  }

 private:
  Level level_;
  bool active_;
};

}  // namespace tfrt::tracing

#endif  // TFRT_SUPPORT_TRACING_H_
