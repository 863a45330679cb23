// Pieces of JSON, for texts that are too long to be built as a tree.
#ifndef TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_
#define TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// In quotes, whatever its bytes are: those that are not UTF-8 are replaced.
void AppendJsonString(std::string_view text, std::string& out);
// So that reading gives the same number; null if JSON has none for it.
void AppendJsonNumber(double number, std::string& out);
void AppendJsonNumber(int64_t number, std::string& out);
void AppendJsonCell(const Cell& cell, std::string& out);

// `"key":`, with a comma before it if something is before it.
void AppendJsonKey(std::string_view key, std::string& out);
// `"key":"text"`.
void AppendJsonMember(std::string_view key, std::string_view text, std::string& out);
void AppendJsonMember(std::string_view key, const std::vector<std::string>& texts,
                      std::string& out);
// [{"name":..., "value":...}, ...]
void AppendJsonMember(std::string_view key,
                      const std::vector<std::pair<std::string, std::string>>& pairs,
                      std::string& out);
// A comma, if something is before it.
void AppendJsonComma(std::string& out);

// "bars", "text": names of kinds.
std::string_view KindName(Chart::Kind kind);
std::string_view KindName(Column::Kind kind);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_JSON_TEXT_H_
