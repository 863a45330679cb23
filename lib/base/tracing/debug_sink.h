// DebugSink: writes scopes and events as text lines, to show which scopes run inside which.
#ifndef TFRT_LIB_BASE_TRACING_DEBUG_SINK_H_
#define TFRT_LIB_BASE_TRACING_DEBUG_SINK_H_

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "tracing.h"

namespace tfrt::tracing {

// Writes "Scope:NAME", "End Scope" and "Event:NAME" lines. The lines have their own buffer, apart
// from the program's output. Flush and the destructor write it, and so does each full MiB. In a
// short run the lines thus follow everything that the program printed. Thread-safe; lines of
// different threads interleave.
class DebugSink final : public Sink {
 public:
  // `file` is borrowed and must outlive the sink.
  explicit DebugSink(std::FILE* file) : file_(file) {}
  DebugSink(const DebugSink&) = delete;
  DebugSink& operator=(const DebugSink&) = delete;
  ~DebugSink() override { Flush(); }

  void PushScope(std::string_view name) override;
  void PopScope() override;
  void RecordEvent(std::string_view name) override;

  void Flush();

 private:
  void Append(std::string_view prefix, std::string_view name);
  void FlushLocked();

  std::FILE* const file_;
  std::mutex mutex_;
  std::string buffer_;
};

}  // namespace tfrt::tracing

#endif  // TFRT_LIB_BASE_TRACING_DEBUG_SINK_H_
