// Writes pieces of JSON, for texts that are too long to be built as a tree.
#ifndef TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/figures.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

// Appends a text of any bytes in quotes. Bytes that are not UTF-8 are replaced.
void AppendJson(std::string_view text, std::string& out);
// Append a number so that reading gives the same number; null if JSON has none for it.
void AppendJson(double number, std::string& out);
template <std::integral Integer>
void AppendJson(Integer number, std::string& out) {
  if constexpr (std::same_as<Integer, bool>) {
    out += number ? "true" : "false";
  } else {
    out += StrCat(number);
  }
}
// Appends what a function appends.
void AppendJson(const std::invocable<std::string&> auto& append, std::string& out) { append(out); }
void AppendJson(const std::vector<std::string>& texts, std::string& out);
// Appends [{"name":..., "value":...}, ...].
void AppendJson(const std::vector<std::pair<std::string, std::string>>& pairs, std::string& out);
void AppendJsonCell(const Cell& cell, std::string& out);

// Appends a comma unless it would come first.
void AppendJsonComma(std::string& out);

// Returns an array as a value: what `append(item, out)` appends for each item.
template <typename Items, typename Append>
auto Each(const Items& items, const Append& append) {
  return [&](std::string& out) {
    out += '[';
    for (const auto& item : items) {
      AppendJsonComma(out);
      append(item, out);
    }
    out += ']';
  };
}

// Appends an object of members: keys, each before its value.
inline void AppendJsonMembers(std::string&) {}
template <typename Value, typename... More>
void AppendJsonMembers(std::string& out, std::string_view key, const Value& value,
                       const More&... more) {
  AppendJsonComma(out);
  AppendJson(key, out);
  out += ':';
  AppendJson(value, out);
  AppendJsonMembers(out, more...);
}
template <typename... Members>
void AppendJsonObject(std::string& out, const Members&... members) {
  out += '{';
  AppendJsonMembers(out, members...);
  out += '}';
}

// Return names of kinds: "bars", "text".
std::string_view KindName(Chart::Kind kind);
std::string_view KindName(Column::Kind kind);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_
