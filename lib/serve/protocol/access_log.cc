#include "access_log.h"

#include <algorithm>
#include <chrono>
#include <ctime>

#include "lib/serve/protocol/json_text.h"
#include "lib/serve/protocol/protocol.h"

namespace tfrt::serve {
namespace {

// "2026-01-31T12:00:00.000Z"
std::string TimeText() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[40];
  const size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
  char fraction[8];
  std::snprintf(fraction, sizeof(fraction), ".%03dZ", static_cast<int>(milliseconds));
  return std::string(text, size) + fraction;
}

bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool IsZero(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == '0'; });
}

// Clients choose the names of models that are unknown.
constexpr size_t kMaxNameBytes = 256;

// The members that the lines of HTTP and gRPC have in common.
template <typename Access>
void AppendCall(const Access& access, JsonText* json) {
  json->Key("request_id").Text(access.id);
  if (const std::string_view trace = TraceOf(access.trace_parent); !trace.empty()) {
    json->Key("trace_id").Text(trace);
  }
  json->Key("peer").Text(access.peer).Key("microseconds");
  json->Number(std::chrono::duration_cast<std::chrono::microseconds>(access.duration).count());
  json->Key("received_bytes").Number(access.received_bytes);
  json->Key("sent_bytes").Number(access.sent_bytes);
}

}  // namespace

std::string_view TraceOf(std::string_view trace_parent) {
  // version "00", trace, parent and flags; later versions may have more parts.
  if (trace_parent.size() < 55 || trace_parent[2] != '-' || trace_parent[35] != '-' ||
      trace_parent[52] != '-') {
    return "";
  }
  const std::string_view version = trace_parent.substr(0, 2);
  const std::string_view trace = trace_parent.substr(3, 32);
  const std::string_view parent = trace_parent.substr(36, 16);
  if (!IsHex(version) || version == "ff" || !IsHex(trace) || !IsHex(parent) || IsZero(trace) ||
      IsZero(parent) || !IsHex(trace_parent.substr(53, 2))) {
    return "";
  }
  if (trace_parent.size() > 55 && (version == "00" || trace_parent[55] != '-')) return "";
  return trace;
}

std::string AccessLine(const http::Access& access) {
  JsonText json;
  json.Open('{').Key("time").Text(TimeText()).Key("method").Text(access.method);
  json.Key("target").Text(access.target).Key("status").Number(access.status);
  AppendCall(access, &json);
  if (access.client_is_gone) json.Key("client_is_gone").Bool(true);
  json.Close('}');
  return std::move(json).Take() + "\n";
}

std::string CallLine(const CallAccess& access) {
  JsonText json;
  json.Open('{').Key("time").Text(TimeText()).Key("method").Text("POST");
  json.Key("target").Text(access.method).Key("status").Number(HttpStatus(access.code));
  json.Key("code").Text(StatusCodeName(access.code));
  if (!access.model.empty()) json.Key("model").Text(access.model.substr(0, kMaxNameBytes));
  if (!access.version.empty()) json.Key("version").Text(access.version);
  AppendCall(access, &json);
  if (access.code == StatusCode::kCancelled) json.Key("client_is_gone").Bool(true);
  json.Close('}');
  return std::move(json).Take() + "\n";
}

std::string EventLine(std::string_view severity, std::string_view message) {
  JsonText json;
  json.Open('{').Key("time").Text(TimeText()).Key("severity").Text(severity);
  json.Key("message").Text(message).Close('}');
  return std::move(json).Take() + "\n";
}

}  // namespace tfrt::serve
