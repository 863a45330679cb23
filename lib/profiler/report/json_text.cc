#include "json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tfrt::profiler {
namespace {

template <typename T>
void AppendDigits(T number, std::string& out) {
  char digits[32];
  auto [end, error] = std::to_chars(digits, digits + sizeof(digits), number);
  out.append(digits, end);
}

}  // namespace

void AppendJsonString(std::string_view text, std::string& out) {
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

void AppendJsonNumber(double number, std::string& out) {
  if (!std::isfinite(number)) {
    out += "null";
  } else {
    AppendDigits(number, out);
  }
}

void AppendJsonNumber(int64_t number, std::string& out) { AppendDigits(number, out); }

void AppendJsonCell(const Cell& cell, std::string& out) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    AppendJsonString(*text, out);
  } else if (const auto* integer = std::get_if<int64_t>(&cell)) {
    AppendJsonNumber(*integer, out);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    AppendJsonNumber(*real, out);
  } else {
    out += "null";
  }
}

void AppendJsonComma(std::string& out) {
  if (!out.empty() && out.back() != '{' && out.back() != '[' && out.back() != ':') out += ',';
}

void AppendJsonKey(std::string_view key, std::string& out) {
  AppendJsonComma(out);
  AppendJsonString(key, out);
  out += ':';
}

void AppendJsonMember(std::string_view key, std::string_view text, std::string& out) {
  AppendJsonKey(key, out);
  AppendJsonString(text, out);
}

void AppendJsonMember(std::string_view key, const std::vector<std::string>& texts,
                      std::string& out) {
  AppendJsonKey(key, out);
  out += '[';
  for (const std::string& text : texts) {
    AppendJsonComma(out);
    AppendJsonString(text, out);
  }
  out += ']';
}

void AppendJsonMember(std::string_view key,
                      const std::vector<std::pair<std::string, std::string>>& pairs,
                      std::string& out) {
  AppendJsonKey(key, out);
  out += '[';
  for (const auto& [name, value] : pairs) {
    AppendJsonComma(out);
    out += '{';
    AppendJsonMember("name", name, out);
    AppendJsonMember("value", value, out);
    out += '}';
  }
  out += ']';
}

std::string_view KindName(Chart::Kind kind) {
  switch (kind) {
    case Chart::Kind::kBars:
      return "bars";
    case Chart::Kind::kStack:
      return "stack";
    case Chart::Kind::kLines:
      return "lines";
    case Chart::Kind::kSteps:
      return "steps";
    case Chart::Kind::kPoints:
      return "points";
    case Chart::Kind::kRoofline:
      return "roofline";
    case Chart::Kind::kBoxes:
      return "boxes";
    case Chart::Kind::kHeatMap:
      return "heat_map";
    case Chart::Kind::kIntervals:
      return "intervals";
    case Chart::Kind::kHistogram:
      return "histogram";
  }
  return "unknown";
}

std::string_view KindName(Column::Kind kind) {
  switch (kind) {
    case Column::Kind::kText:
      return "text";
    case Column::Kind::kInteger:
      return "integer";
    case Column::Kind::kReal:
      return "real";
    case Column::Kind::kShare:
      return "share";
  }
  return "unknown";
}

}  // namespace tfrt::profiler
