#include "tfrt/support/tracing.h"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "tfrt/support/logging.h"

namespace tfrt::tracing {

std::atomic<int> internal::active_level{0};

namespace {

struct Registration {
  Sink* sink;
  Level level;
};

// Leaked on purpose: threads may still trace while the process exits.
struct Registry {
  std::shared_mutex mutex;
  std::vector<Registration> sinks;
};
Registry& GetRegistry() {
  static Registry* registry = new Registry;
  return *registry;
}

const char* Name(Level level) {
  static constexpr const char* kNames[] = {"none", "default", "verbose", "debug"};
  return kNames[static_cast<int>(level)];
}

void UpdateActiveLevel(const Registry& registry) {
  int level = 0;
  for (const Registration& r : registry.sinks) level = std::max(level, static_cast<int>(r.level));
  internal::active_level.store(level, std::memory_order_relaxed);
}

template <typename F>
void ForEachSink(Level level, F&& f) {
  Registry& registry = GetRegistry();
  std::shared_lock lock(registry.mutex);
  for (const Registration& r : registry.sinks) {
    if (level <= r.level) f(*r.sink);
  }
}

}  // namespace

void AddSink(Sink* sink, Level level) {
  if (level > kMaxLevel) {
    TFRT_LOG(WARNING) << "Tracing level '" << Name(level)
                      << "' clamped to TFRT_MAX_TRACING_LEVEL ('" << Name(kMaxLevel) << "')";
    level = kMaxLevel;
  }
  Registry& registry = GetRegistry();
  std::unique_lock lock(registry.mutex);
  registry.sinks.push_back({sink, level});
  UpdateActiveLevel(registry);
}

void RemoveSink(Sink* sink) {
  Registry& registry = GetRegistry();
  std::unique_lock lock(registry.mutex);
  std::erase_if(registry.sinks, [&](const Registration& r) { return r.sink == sink; });
  UpdateActiveLevel(registry);
}

void internal::Push(Level level, std::string_view name) {
  ForEachSink(level, [&](Sink& sink) { sink.PushScope(name); });
}
void internal::Pop(Level level) {
  ForEachSink(level, [&](Sink& sink) { sink.PopScope(); });
}

void RecordEvent(Level level, std::string_view name) {
  if (!IsEnabled(level)) return;
  ForEachSink(level, [&](Sink& sink) { sink.RecordEvent(name); });
}

}  // namespace tfrt::tracing
