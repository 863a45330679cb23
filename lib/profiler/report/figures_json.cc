// Reports as JSON. Written as a stream: tables have many rows.
#include <string>
#include <vector>

#include "json_text.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {
namespace {

void AppendColumn(const Column& column, std::string& out) {
  AppendJsonObject(out, "name", column.name, "kind", KindName(column.kind), "unit", column.unit,
                   "base", column.base, "help", column.help);
}

void AppendRow(const std::vector<Cell>& row, std::string& out) {
  out += '\n';
  Each(row, AppendJsonCell)(out);
}

void AppendTable(const Table& table, std::string& out) {
  AppendJsonObject(out, "id", table.id, "title", table.title, "source", table.source, "subject",
                   table.subject, "doubts", table.doubts, "num_shown", table.num_shown, "columns",
                   Each(table.columns, AppendColumn), "rows", Each(table.rows, AppendRow));
}

void AppendRoof(const Chart::Roof& roof, std::string& out) {
  AppendJsonObject(out, "name", roof.name, "peak", roof.peak, "bandwidth", roof.bandwidth);
}

void AppendBand(const Chart::Band& band, std::string& out) {
  AppendJsonObject(out, "name", band.name, "begin", band.begin, "end", band.end);
}

void AppendChart(const Chart& chart, std::string& out) {
  AppendJsonObject(out, "kind", KindName(chart.kind), "title", chart.title, "table", chart.table,
                   "x", chart.x, "y", chart.y, "group", chart.group, "size", chart.size, "until",
                   chart.until, "more", chart.more, "x_is_log", chart.x_is_log, "y_is_log",
                   chart.y_is_log, "roofs", Each(chart.roofs, AppendRoof), "bands",
                   Each(chart.bands, AppendBand));
}

void AppendSection(const Section& section, std::string& out) {
  out += '\n';
  AppendJsonObject(out, "id", section.id, "title", section.title, "text", section.text, "facts",
                   section.facts, "tables", Each(section.tables, AppendTable), "charts",
                   Each(section.charts, AppendChart));
}

}  // namespace

std::string ReportJson(const Report& report) {
  std::string out;
  AppendJsonObject(out, "format", 1, "title", report.title, "properties", report.properties,
                   "doubts", report.doubts, "sections", Each(report.sections, AppendSection));
  return out + '\n';
}

}  // namespace tfrt::profiler
