// Writes pieces of JSON, for texts that are too long to be built as a tree.
#ifndef TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// Appends a text of any bytes in quotes. Bytes that are not UTF-8 are replaced.
void AppendJsonString(std::string_view text, std::string& out);
// Append a number so that reading gives the same number; null if JSON has none for it.
void AppendJsonNumber(double number, std::string& out);
void AppendJsonNumber(int64_t number, std::string& out);
void AppendJsonCell(const Cell& cell, std::string& out);

// Appends `"key":`, with a comma before it unless it comes first.
void AppendJsonKey(std::string_view key, std::string& out);
// Appends `"key":"text"`.
void AppendJsonMember(std::string_view key, std::string_view text, std::string& out);
void AppendJsonMember(std::string_view key, const std::vector<std::string>& texts,
                      std::string& out);
// Appends [{"name":..., "value":...}, ...].
void AppendJsonMember(std::string_view key,
                      const std::vector<std::pair<std::string, std::string>>& pairs,
                      std::string& out);
// Appends a comma unless it would come first.
void AppendJsonComma(std::string& out);

// Appends `"key":[`, the output of `append(item, out)` for each item, with commas, and `]`.
template <typename Items, typename Append>
void AppendJsonArray(std::string_view key, const Items& items, const Append& append,
                     std::string& out) {
  AppendJsonKey(key, out);
  out += '[';
  for (const auto& item : items) {
    AppendJsonComma(out);
    append(item, out);
  }
  out += ']';
}

// Return names of kinds: "bars", "text".
std::string_view KindName(Chart::Kind kind);
std::string_view KindName(Column::Kind kind);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_
