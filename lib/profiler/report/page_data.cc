#include "page_data.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "chart_spec.h"
#include "html_report.h"
#include "json_text.h"
#include "lib/profiler/figure_parts.h"
#include "number_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMaxScriptInteger = int64_t{1} << 53;  // scripts know larger ones not exactly

double NumberAt(const Table& table, size_t row, size_t column) {
  return NumberIn(CellAt(table, row, column)).value_or(std::numeric_limits<double>::quiet_NaN());
}

size_t ColumnOf(const Table& table, std::string_view name) {
  auto found = std::ranges::find(table.columns, name, &Column::name);
  return static_cast<size_t>(found - table.columns.begin());
}

void AppendPageCell(const Cell& cell, std::string& out) {
  const auto* integer = std::get_if<int64_t>(&cell);
  if (integer && (*integer > kMaxScriptInteger || *integer < -kMaxScriptInteger)) {
    AppendJson(StrCat(*integer), out);
  } else {
    AppendJsonCell(cell, out);
  }
}

// A text column: its different texts, and the number of each row's.
void AppendTexts(const Table& table, size_t column, const std::vector<size_t>& rows,
                 std::string& out) {
  std::unordered_map<std::string_view, size_t> numbers;
  std::string texts = "[", values = "[";
  for (size_t row : rows) {
    AppendJsonComma(values);
    const Cell& cell = CellAt(table, row, column);
    const auto* text = std::get_if<std::string>(&cell);
    if (!text) {
      // A cell that is not a text in a column of texts is written as it would be shown there.
      if (std::holds_alternative<std::monostate>(cell)) {
        values += "null";
      } else {
        AppendJson(CellText(cell, Column{}), values);
      }
      continue;
    }
    auto [found, is_new] = numbers.try_emplace(*text, numbers.size());
    if (is_new) {
      AppendJsonComma(texts);
      AppendJson(*text, texts);
    }
    AppendJson(found->second, values);
  }
  out += StrCat("{\"texts\":", texts, "],\"values\":", values, "]}");
}

void AppendColumnValues(const Table& table, size_t column, const std::vector<size_t>& rows,
                        std::string& out) {
  if (table.columns[column].kind == Column::Kind::kText) {
    return AppendTexts(table, column, rows, out);
  }
  AppendJsonObject(out, "values", Each(rows, [&](size_t row, std::string& to) {
                     AppendPageCell(CellAt(table, row, column), to);
                   }));
}

void AppendPageTable(const Section& section, const Table& table, std::string& out) {
  const std::vector<size_t> rows = ChosenRows(section, table, kMaxHtmlRows);
  std::string note;
  if (rows.size() != table.rows.size()) {
    note = StrCat("This page holds ", rows.size(), " of ", table.rows.size(),
                  " rows; the report as JSON holds all of them.");
  }
  auto append_column = [&](const Column& column, std::string& to) {
    const auto number = static_cast<size_t>(&column - table.columns.data());
    auto append_data = [&](std::string& data) { AppendColumnValues(table, number, rows, data); };
    AppendJsonObject(to, "name", column.name, "kind", KindName(column.kind), "unit", column.unit,
                     "base", column.base, "help", column.help, "decimals",
                     ColumnDecimals(table, number), "data", append_data);
  };
  AppendJsonObject(out, "id", table.id, "title", table.title, "source", table.source, "subject",
                   table.subject, "doubts", table.doubts, "note", note, "shown", table.num_shown,
                   "count", rows.size(), "columns", Each(table.columns, append_column));
}

void AppendPageChart(const Section& section, const Chart& chart, std::string& out) {
  auto table = std::ranges::find(section.tables, chart.table, &Table::id);
  const bool is_there = table != section.tables.end();
  const ChartSpec made = MakeChartSpec(chart, is_there ? &*table : nullptr);
  Json json = {{"kind", KindName(chart.kind)},
               {"title", chart.title},
               {"table", is_there ? table - section.tables.begin() : -1},
               {"spec", made.spec},
               {"fields", made.fields},
               {"groups", made.groups},
               {"group_label", made.group_label},
               {"y_label", made.y_label},
               {"note", made.note},
               {"can_zoom", made.can_zoom},
               {"x_is_log", chart.x_is_log || chart.kind == Chart::Kind::kRoofline},
               {"is_wide", made.is_wide}};
  for (auto [key, name] : {std::pair("x", &chart.x),
                           {"y", &chart.y},
                           {"group", &chart.group},
                           {"size", &chart.size},
                           {"until", &chart.until}}) {
    if (is_there && !name->empty()) json["columns"][key] = ColumnOf(*table, *name);
  }
  for (const std::string& name : chart.more) {
    if (is_there) json["columns"]["more"].push_back(ColumnOf(*table, name));
  }
  out += json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void AppendPageSection(const Section& section, std::string& out) {
  auto append_table = [&](const Table& table, std::string& to) {
    AppendPageTable(section, table, to);
  };
  auto append_chart = [&](const Chart& chart, std::string& to) {
    AppendPageChart(section, chart, to);
  };
  AppendJsonObject(out, "id", section.id, "title", section.title, "text", section.text, "facts",
                   section.facts, "tables", Each(section.tables, append_table), "charts",
                   Each(section.charts, append_chart));
}

std::string WithoutMarkup(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (char c : json) {
    if (c == '<') {
      out += "\\u003c";  // in JSON it stands in strings only
    } else {
      out += c;
    }
  }
  return out;
}

// The rows of one part of a line that make its shape.
struct Part {
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  size_t first = kNone, last = kNone, lowest = kNone, highest = kNone;
};

std::vector<size_t> ShapeRows(const Table& table, const Chart& chart, size_t max_rows) {
  const size_t x = ColumnOf(table, chart.x), y = ColumnOf(table, chart.y);
  const size_t group = ColumnOf(table, chart.group);
  double begin = INFINITY, end = -INFINITY;
  std::map<std::string_view, size_t> groups;
  auto group_at = [&](size_t row) {
    const auto* text = std::get_if<std::string>(&CellAt(table, row, group));
    return text ? std::string_view(*text) : std::string_view();
  };
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const double at = NumberAt(table, row, x);
    if (!std::isfinite(at)) continue;
    begin = std::min(begin, at), end = std::max(end, at);
    groups.try_emplace(group_at(row), groups.size());
  }
  const size_t num_parts = std::max<size_t>(1, max_rows / 4 / std::max<size_t>(1, groups.size()));
  std::vector<Part> parts(num_parts * groups.size());
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const double at = NumberAt(table, row, x), value = NumberAt(table, row, y);
    if (!std::isfinite(at) || !std::isfinite(value)) continue;
    const double share = end > begin ? (at - begin) / (end - begin) : 0;
    const size_t bucket = std::min(num_parts - 1, static_cast<size_t>(share * num_parts));
    Part& part = parts[groups.find(group_at(row))->second * num_parts + bucket];
    if (part.first == Part::kNone) part = {row, row, row, row};
    part.last = row;
    if (value < NumberAt(table, part.lowest, y)) part.lowest = row;
    if (value > NumberAt(table, part.highest, y)) part.highest = row;
  }
  std::vector<size_t> rows;
  for (const Part& part : parts) {
    if (part.first == Part::kNone) continue;
    rows.insert(rows.end(), {part.first, part.last, part.lowest, part.highest});
  }
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

}  // namespace

std::vector<size_t> ChosenRows(const Section& section, const Table& table, size_t max_rows) {
  std::vector<size_t> rows;
  if (table.rows.size() > max_rows) {
    for (const Chart& chart : section.charts) {
      const bool is_line = chart.kind == Chart::Kind::kLines || chart.kind == Chart::Kind::kSteps;
      if (chart.table == table.id && is_line) return ShapeRows(table, chart, max_rows);
    }
  }
  rows.resize(std::min(table.rows.size(), max_rows));
  std::iota(rows.begin(), rows.end(), size_t{0});
  return rows;
}

std::string PageData(const Report& report) {
  std::string out;
  AppendJsonObject(out, "title", report.title, "properties", report.properties, "doubts",
                   report.doubts, "sections", Each(report.sections, AppendPageSection));
  return WithoutMarkup(out);
}

}  // namespace tfrt::profiler
