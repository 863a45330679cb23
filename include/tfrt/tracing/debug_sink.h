// DebugSink: scopes and events as text lines, for looking at what runs inside what.
#ifndef TFRT_TRACING_DEBUG_SINK_H_
#define TFRT_TRACING_DEBUG_SINK_H_

#include <cstdio>
#include <mutex>
#include <string>
#include <string_view>

#include "tfrt/tracing/tracing.h"

namespace tfrt::tracing {

// Writes "Scope:NAME", "End Scope" and "Event:NAME" lines. The lines are buffered apart from the
// program's own output and written by Flush, by the destructor, and whenever 1 MiB has gathered, so
// in a short run they follow everything the program printed. Thread-safe; lines of different
// threads interleave.
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

#endif  // TFRT_TRACING_DEBUG_SINK_H_
