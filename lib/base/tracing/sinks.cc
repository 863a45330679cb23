#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "gates.h"
#include "lib/base/support/logging.h"
#include "tracing.h"

namespace tfrt::tracing {

constinit std::atomic<int> internal::active_level{0};

namespace {

struct Registration {
  Sink* sink;
  Level level;
  uint64_t serial;  // in the order in which they were added, from 1
};

// Leaked on purpose: threads may still profile while the process exits.
struct Registry {
  std::shared_mutex mutex;
  std::vector<Registration> sinks;
  uint64_t last_serial = 0;
};
Registry& GetRegistry() {
  static Registry* registry = new Registry;
  return *registry;
}

const char* NameOf(Level level) {
  static constexpr const char* kNames[] = {"none", "default", "verbose", "debug"};
  return kNames[static_cast<int>(level)];
}

void UpdateActiveLevel(const Registry& registry) {
  Level highest = Level::kNone;
  for (const Registration& r : registry.sinks) highest = std::max(highest, r.level);
  // relaxed: who reads it may be late; the list has its own lock.
  internal::active_level.store(static_cast<int>(highest), std::memory_order_relaxed);
  internal::SetSinkGate(highest);
}

// True while the thread is in a function of a sink. Its work is not recorded: the sink would be
// called inside of itself.
thread_local constinit bool is_in_sink = false;

// Calls f(sink) for the sinks of the level that were added up to `last_serial`. Returns the serial
// of the last one that there is.
template <typename F>
uint64_t ForEachSink(Level level, uint64_t last_serial, F&& f) {
  if (is_in_sink) return 0;
  Registry& registry = GetRegistry();
  std::shared_lock lock(registry.mutex);
  is_in_sink = true;
  for (const Registration& r : registry.sinks) {
    if (level <= r.level && r.serial <= last_serial) f(*r.sink);
  }
  is_in_sink = false;
  return registry.last_serial;
}

}  // namespace

void AddSink(Sink* sink, Level level) {
  if (level > kMaxLevel) {
    TFRT_LOG(WARNING) << "Tracing level '" << NameOf(level)
                      << "' clamped to TFRT_MAX_TRACING_LEVEL ('" << NameOf(kMaxLevel) << "')";
    level = kMaxLevel;
  }
  Registry& registry = GetRegistry();
  std::unique_lock lock(registry.mutex);
  registry.sinks.push_back({sink, level, ++registry.last_serial});
  UpdateActiveLevel(registry);
}

void RemoveSink(Sink* sink) {
  Registry& registry = GetRegistry();
  std::unique_lock lock(registry.mutex);
  std::erase_if(registry.sinks, [&](const Registration& r) { return r.sink == sink; });
  UpdateActiveLevel(registry);
}

uint64_t internal::PushScope(Level level, std::string_view name) {
  return ForEachSink(level, UINT64_MAX, [&](Sink& sink) { sink.PushScope(name); });
}

void internal::PopScope(Level level, uint64_t serial) {
  if (serial != 0) ForEachSink(level, serial, [](Sink& sink) { sink.PopScope(); });
}

void internal::PushEvent(Level level, std::string_view name) {
  ForEachSink(level, UINT64_MAX, [&](Sink& sink) { sink.RecordEvent(name); });
}

}  // namespace tfrt::tracing
