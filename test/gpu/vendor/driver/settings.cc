#include "settings.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "tfrt/support/str_cat.h"

namespace tfrt::gpu::cuda_double {
namespace {

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, number);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// A number with K, M or G behind it, or without.
std::optional<uint64_t> ParseSize(std::string_view text) {
  int shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'K':
        shift = 10;
        break;
      case 'M':
        shift = 20;
        break;
      case 'G':
        shift = 30;
        break;
    }
  }
  if (shift > 0) text.remove_suffix(1);
  std::optional<uint64_t> number = ParseNumber(text);
  if (!number || *number > (uint64_t{1} << 40) >> shift) return std::nullopt;
  return *number << shift;
}

// NAME:N:CODE, where the name may hold colons.
std::optional<Fault> ParseFault(std::string_view text) {
  size_t code_at = text.rfind(':');
  if (code_at == std::string_view::npos || code_at == 0) return std::nullopt;
  size_t nth_at = text.rfind(':', code_at - 1);
  if (nth_at == std::string_view::npos || nth_at == 0) return std::nullopt;
  std::optional<uint64_t> nth = ParseNumber(text.substr(nth_at + 1, code_at - nth_at - 1));
  std::optional<uint64_t> code = ParseNumber(text.substr(code_at + 1));
  if (!nth || *nth == 0 || !code || *code == 0 || *code > 9999) return std::nullopt;
  return Fault{std::string(text.substr(0, nth_at)), *nth, static_cast<int>(*code)};
}

bool ParseMode(std::string_view text, Mode* mode) {
  constexpr std::pair<std::string_view, Mode> kModes[] = {{"lazy", Mode::kLazy},
                                                          {"threads", Mode::kThreads},
                                                          {"inline", Mode::kInline},
                                                          {"null", Mode::kNull}};
  for (auto [name, value] : kModes) {
    if (name == text) return *mode = value, true;
  }
  return false;
}

bool ParseRange(std::string_view text, uint64_t low, uint64_t high, int* out) {
  std::optional<uint64_t> number = ParseNumber(text);
  if (!number || *number < low || *number > high) return false;
  *out = static_cast<int>(*number);
  return true;
}

bool AddFault(std::string_view text, std::vector<Fault>* faults, bool of_context = false) {
  std::optional<Fault> fault = ParseFault(text);
  if (fault) faults->emplace_back(*std::move(fault)).of_context = of_context;
  return fault.has_value();
}

// Returns a description of the values that are allowed, or nothing if the value is one of them.
std::string_view ParseSetting(std::string_view key, std::string_view value, Settings* settings) {
  if (key == "mode") {
    return ParseMode(value, &settings->mode) ? "" : "lazy, threads, inline or null";
  }
  if (key == "seed") {
    std::optional<uint64_t> seed = ParseNumber(value);
    settings->seed = seed.value_or(0);
    return seed ? "" : "a number";
  }
  if (key == "devices") {
    return ParseRange(value, 0, 16, &settings->num_devices) ? "" : "0 to 16";
  }
  if (key == "workers") {
    return ParseRange(value, 1, 64, &settings->num_workers) ? "" : "1 to 64";
  }
  if (key == "memory") {
    std::optional<uint64_t> size = ParseSize(value);
    settings->memory_bytes = size.value_or(0);
    return size && *size >= 4096 ? "" : "a number of bytes from 4096 to 1024G";
  }
  if (key == "cc") {
    size_t dot = value.find('.');
    bool good = dot != std::string_view::npos &&
                ParseRange(value.substr(0, dot), 3, 12, &settings->major) &&
                ParseRange(value.substr(dot + 1), 0, 9, &settings->minor);
    return good ? "" : "a compute capability like 9.0";
  }
  if (key == "contract") {
    settings->contracts = value == "on";
    return value == "on" || value == "off" ? "" : "on or off";
  }
  if (key == "nc") {
    settings->allows_own_writes_after_nc = value == "own";
    return value == "own" || value == "none" ? "" : "own or none";
  }
  if (key == "log") {
    settings->log_path = value;
    return value.empty() ? "a file" : "";
  }
  if (key == "fail") return AddFault(value, &settings->faults.calls) ? "" : "FUNCTION:N:CODE";
  if (key == "fault") {
    constexpr std::string_view kOfContext = ":context";
    const bool of_context = value.ends_with(kOfContext);
    if (of_context) value.remove_suffix(kOfContext.size());
    return AddFault(value, &settings->faults.kernels, of_context)
               ? ""
               : "KERNEL:N:CODE or KERNEL:N:CODE:context";
  }
  if (key == "lost") {
    bool good = AddFault(value, &settings->faults.devices) &&
                ParseNumber(settings->faults.devices.back().name).has_value();
    return good ? "" : "DEVICE:N:CODE";
  }
  if (key == "version") {
    const size_t colon = value.find(':');
    std::optional<uint64_t> number =
        colon == value.npos ? std::nullopt : ParseNumber(value.substr(colon + 1));
    if (colon == 0 || !number) return "LIBRARY:NUMBER";
    settings->versions[std::string(value.substr(0, colon))] = *number;
    return "";
  }
  return "unknown";
}

}  // namespace

std::string ParseSettings(std::string_view text, Settings* settings) {
  while (!text.empty()) {
    std::string_view setting = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), setting.size() + 1));
    size_t equals = setting.find('=');
    if (equals == std::string_view::npos) {
      return StrCat("setting '", setting, "' is not of the form key=value");
    }
    std::string_view key = setting.substr(0, equals), value = setting.substr(equals + 1);
    std::string_view wanted = ParseSetting(key, value, settings);
    if (wanted == "unknown") return StrCat("unknown setting '", key, "'");
    if (!wanted.empty()) {
      return StrCat("setting '", key, "' is '", value, "', and should be ", wanted);
    }
  }
  return "";
}

}  // namespace tfrt::gpu::cuda_double
