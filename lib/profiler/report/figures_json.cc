// Reports as JSON. Written as a stream: tables have many rows.
#include <string>
#include <vector>

#include "json_text.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {
namespace {

void AppendNumberMember(const char* key, double number, std::string& out) {
  AppendJsonKey(key, out);
  AppendJsonNumber(number, out);
}

void AppendBool(const char* key, bool value, std::string& out) {
  AppendJsonKey(key, out);
  out += value ? "true" : "false";
}

void AppendColumn(const Column& column, std::string& out) {
  out += '{';
  AppendJsonMember("name", column.name, out);
  AppendJsonMember("kind", KindName(column.kind), out);
  AppendJsonMember("unit", column.unit, out);
  AppendJsonMember("base", column.base, out);
  AppendJsonMember("help", column.help, out);
  out += '}';
}

void AppendTable(const Table& table, std::string& out) {
  out += "{";
  AppendJsonMember("id", table.id, out);
  AppendJsonMember("title", table.title, out);
  AppendJsonMember("source", table.source, out);
  AppendJsonMember("doubts", table.doubts, out);
  AppendJsonKey("num_shown", out);
  AppendJsonNumber(static_cast<int64_t>(table.num_shown), out);
  AppendJsonKey("columns", out);
  out += '[';
  for (const Column& column : table.columns) {
    AppendJsonComma(out);
    AppendColumn(column, out);
  }
  out += ']';
  AppendJsonKey("rows", out);
  out += '[';
  for (const std::vector<Cell>& row : table.rows) {
    if (&row != table.rows.data()) out += ',';
    out += "\n[";
    for (const Cell& cell : row) {
      if (&cell != row.data()) out += ',';
      AppendJsonCell(cell, out);
    }
    out += ']';
  }
  out += "]}";
}

void AppendRoofsAndBands(const Chart& chart, std::string& out) {
  AppendJsonKey("roofs", out);
  out += '[';
  for (const Chart::Roof& roof : chart.roofs) {
    AppendJsonComma(out);
    out += '{';
    AppendJsonMember("name", roof.name, out);
    AppendNumberMember("peak", roof.peak, out);
    AppendNumberMember("bandwidth", roof.bandwidth, out);
    out += '}';
  }
  out += ']';
  AppendJsonKey("bands", out);
  out += '[';
  for (const Chart::Band& band : chart.bands) {
    AppendJsonComma(out);
    out += '{';
    AppendJsonMember("name", band.name, out);
    AppendNumberMember("begin", band.begin, out);
    AppendNumberMember("end", band.end, out);
    out += '}';
  }
  out += ']';
}

void AppendChart(const Chart& chart, std::string& out) {
  out += '{';
  AppendJsonMember("kind", KindName(chart.kind), out);
  AppendJsonMember("title", chart.title, out);
  AppendJsonMember("table", chart.table, out);
  AppendJsonMember("x", chart.x, out);
  AppendJsonMember("y", chart.y, out);
  AppendJsonMember("group", chart.group, out);
  AppendJsonMember("size", chart.size, out);
  AppendJsonMember("until", chart.until, out);
  AppendJsonMember("more", chart.more, out);
  AppendBool("x_is_log", chart.x_is_log, out);
  AppendBool("y_is_log", chart.y_is_log, out);
  AppendRoofsAndBands(chart, out);
  out += '}';
}

void AppendSection(const Section& section, std::string& out) {
  out += '{';
  AppendJsonMember("id", section.id, out);
  AppendJsonMember("title", section.title, out);
  AppendJsonMember("text", section.text, out);
  AppendJsonMember("facts", section.facts, out);
  AppendJsonKey("tables", out);
  out += '[';
  for (const Table& table : section.tables) {
    AppendJsonComma(out);
    AppendTable(table, out);
  }
  out += ']';
  AppendJsonKey("charts", out);
  out += '[';
  for (const Chart& chart : section.charts) {
    AppendJsonComma(out);
    AppendChart(chart, out);
  }
  out += "]}";
}

}  // namespace

std::string ReportJson(const Report& report) {
  std::string out = "{";
  AppendJsonKey("format", out);
  AppendJsonNumber(int64_t{1}, out);
  AppendJsonMember("title", report.title, out);
  AppendJsonMember("properties", report.properties, out);
  AppendJsonMember("doubts", report.doubts, out);
  AppendJsonKey("sections", out);
  out += '[';
  for (const Section& section : report.sections) {
    AppendJsonComma(out);
    out += '\n';
    AppendSection(section, out);
  }
  out += "]}\n";
  return out;
}

}  // namespace tfrt::profiler
