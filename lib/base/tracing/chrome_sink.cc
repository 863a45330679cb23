#include "chrome_sink.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "tfrt/support/write_file.h"

namespace tfrt::tracing {
namespace {

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int ThreadId() {
  thread_local const int id = static_cast<int>(syscall(SYS_gettid));
  return id;
}

void AppendJsonString(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

ChromeSink::ChromeSink() : origin_ns_(NowNs()) {}

void ChromeSink::Record(char phase, std::string_view name) {
  int thread_id = ThreadId();
  std::lock_guard lock(mutex_);
  events_.push_back({phase, thread_id, NowNs() - origin_ns_, std::string(name)});
}

std::string ChromeSink::ToJson() const {
  std::lock_guard lock(mutex_);
  const int process_id = getpid();
  std::string out = "{\"traceEvents\":[";
  const char* separator = "\n";
  for (const Event& event : events_) {
    out += separator;
    separator = ",\n";
    out += "{\"name\":";
    AppendJsonString(out, event.name);
    char fields[128];
    snprintf(fields, sizeof(fields), ",\"ph\":\"%c\",\"ts\":%lld.%03lld,\"pid\":%d,\"tid\":%d%s}",
             event.phase, static_cast<long long>(event.time_ns / 1000),
             static_cast<long long>(event.time_ns % 1000), process_id, event.thread_id,
             event.phase == 'i' ? ",\"s\":\"t\"" : "");
    out += fields;
  }
  out += "\n]}\n";
  return out;
}

Status ChromeSink::WriteFile(const std::string& path) const {
  std::string json = ToJson();
  return tfrt::WriteFile(path, [&](const ByteSink& sink) {
    sink(json.data(), json.size());
    return OkStatus();
  });
}

}  // namespace tfrt::tracing
