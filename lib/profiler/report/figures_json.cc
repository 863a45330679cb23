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
  AppendJsonMember("subject", table.subject, out);
  AppendJsonMember("doubts", table.doubts, out);
  AppendJsonKey("num_shown", out);
  AppendJsonNumber(static_cast<int64_t>(table.num_shown), out);
  AppendJsonArray("columns", table.columns, AppendColumn, out);
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

void AppendRoof(const Chart::Roof& roof, std::string& out) {
  out += '{';
  AppendJsonMember("name", roof.name, out);
  AppendNumberMember("peak", roof.peak, out);
  AppendNumberMember("bandwidth", roof.bandwidth, out);
  out += '}';
}

void AppendBand(const Chart::Band& band, std::string& out) {
  out += '{';
  AppendJsonMember("name", band.name, out);
  AppendNumberMember("begin", band.begin, out);
  AppendNumberMember("end", band.end, out);
  out += '}';
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
  AppendJsonArray("roofs", chart.roofs, AppendRoof, out);
  AppendJsonArray("bands", chart.bands, AppendBand, out);
  out += '}';
}

void AppendSection(const Section& section, std::string& out) {
  out += '{';
  AppendJsonMember("id", section.id, out);
  AppendJsonMember("title", section.title, out);
  AppendJsonMember("text", section.text, out);
  AppendJsonMember("facts", section.facts, out);
  AppendJsonArray("tables", section.tables, AppendTable, out);
  AppendJsonArray("charts", section.charts, AppendChart, out);
  out += '}';
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
