#include "tensorflow_names.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tfrt::profiler {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// "__inference_tiny_15": tiny.
std::string_view FunctionName(std::string_view name) {
  constexpr std::string_view kInference = "__inference_";
  if (name.starts_with(kInference)) name.remove_prefix(kInference.size());
  size_t end = name.size();
  while (end > 0 && IsDigit(name[end - 1])) --end;
  return end > 1 && end < name.size() && name[end - 1] == '_' ? name.substr(0, end - 1) : name;
}

bool IsNodeName(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '/' || c == '.' || c == '-' || c == '>';
  });
}

bool IsOpName(std::string_view name) {
  return !name.empty() && (IsLetter(name[0]) && (name[0] < 'a' || name[0] > 'z')) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || IsDigit(c); });
}

}  // namespace

TensorFlowName TensorFlowNameOf(std::string_view name) {
  if (name.starts_with("EagerLocalExecute: __inference_")) {
    return {.role = ForeignRole::kRun, .name = FunctionName(name.substr(name.find("__")))};
  }
  if (name == "SessionRun") return {.role = ForeignRole::kRun, .name = name};
  const size_t colon = name.find(':');
  if (colon != std::string_view::npos && IsNodeName(name.substr(0, colon)) &&
      IsOpName(name.substr(colon + 1))) {
    return {.role = ForeignRole::kOp, .name = name.substr(0, colon), .op = name.substr(colon + 1)};
  }
  return {.role = ForeignRole::kCall, .name = name};
}

bool IsTensorFlowStream(std::string_view row_name) { return row_name.starts_with("Stream #"); }

ForeignRole TensorFlowDeviceRole(std::string_view name) {
  if (name.starts_with("Memcpy")) return ForeignRole::kDeviceCopy;
  if (name.starts_with("Memset")) return ForeignRole::kDeviceFill;
  return ForeignRole::kDeviceKernel;
}

}  // namespace tfrt::profiler
