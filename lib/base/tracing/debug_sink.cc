#include "debug_sink.h"

namespace tfrt::tracing {

void DebugSink::PushScope(std::string_view name) { Append("Scope:", name); }
void DebugSink::PopScope() { Append("End Scope", ""); }
void DebugSink::RecordEvent(std::string_view name) { Append("Event:", name); }

void DebugSink::Append(std::string_view prefix, std::string_view name) {
  constexpr size_t kFlushThreshold = 1 << 20;
  std::lock_guard lock(mutex_);
  buffer_ += prefix;
  buffer_ += name;
  buffer_ += '\n';
  if (buffer_.size() >= kFlushThreshold) FlushLocked();
}

void DebugSink::Flush() {
  std::lock_guard lock(mutex_);
  FlushLocked();
}

void DebugSink::FlushLocked() {
  std::fwrite(buffer_.data(), 1, buffer_.size(), file_);
  std::fflush(file_);
  buffer_.clear();
}

}  // namespace tfrt::tracing
