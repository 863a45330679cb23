// ChromeSink: a profile for chrome://tracing, Perfetto and other readers of the Trace Event format.
#ifndef TFRT_LIB_BASE_TRACING_CHROME_SINK_H_
#define TFRT_LIB_BASE_TRACING_CHROME_SINK_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/support/status.h"
#include "tracing.h"

namespace tfrt::tracing {

// Keeps all scopes and events in memory until they are read. Thread-safe.
class ChromeSink final : public Sink {
 public:
  ChromeSink();
  ChromeSink(const ChromeSink&) = delete;
  ChromeSink& operator=(const ChromeSink&) = delete;
  ~ChromeSink() override = default;

  void PushScope(std::string_view name) override { Record('B', name); }
  void PopScope() override { Record('E', ""); }
  void RecordEvent(std::string_view name) override { Record('i', name); }

  // Returns {"traceEvents":[...]} with begin (B), end (E) and instant (i) events. `ts` is in
  // microseconds since construction.
  std::string ToJson() const;
  // Fails with Internal and the system's reason if the file cannot be written.
  Status WriteFile(const std::string& path) const;

 private:
  struct Event {
    char phase;
    int thread_id;
    int64_t time_ns;
    std::string name;
  };
  void Record(char phase, std::string_view name);

  const int64_t origin_ns_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
};

}  // namespace tfrt::tracing

#endif  // TFRT_LIB_BASE_TRACING_CHROME_SINK_H_
