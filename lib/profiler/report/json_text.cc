#include "json_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tfrt::profiler {

void AppendJson(std::string_view text, std::string& out) {
  const bool is_plain = std::ranges::all_of(
      text, [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
  if (is_plain) {
    out += '"';
    out += text;
    out += '"';
    return;
  }
  out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void AppendJson(double number, std::string& out) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

void AppendJson(const std::vector<std::string>& texts, std::string& out) {
  Each(texts, [](const std::string& text, std::string& to) { AppendJson(text, to); })(out);
}

void AppendJson(const std::vector<std::pair<std::string, std::string>>& pairs, std::string& out) {
  Each(pairs, [](const auto& pair, std::string& to) {
    AppendJsonObject(to, "name", pair.first, "value", pair.second);
  })(out);
}

void AppendJsonCell(const Cell& cell, std::string& out) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    AppendJson(*text, out);
  } else if (const auto* integer = std::get_if<int64_t>(&cell)) {
    AppendJson(*integer, out);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    AppendJson(*real, out);
  } else {
    out += "null";
  }
}

void AppendJsonComma(std::string& out) {
  if (!out.empty() && out.back() != '{' && out.back() != '[' && out.back() != ':') out += ',';
}

// By the values of the enumerations.
std::string_view KindName(Chart::Kind kind) {
  constexpr std::array<std::string_view, 10> kNames = {"bars",      "stack",    "lines", "steps",
                                                       "points",    "roofline", "boxes", "heat_map",
                                                       "intervals", "histogram"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view KindName(Column::Kind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"text", "integer", "real", "share"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace tfrt::profiler
