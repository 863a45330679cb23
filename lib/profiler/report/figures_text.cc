// Reports for terminals.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lib/base/support/decimal_text.h"
#include "number_text.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/support/str_cat.h"
#include "unicode_text.h"

namespace tfrt::profiler {
namespace {

constexpr size_t kMaxCellWidth = 64;

// The power of ten of the first digit.
int Exponent(double number) { return static_cast<int>(std::floor(std::log10(std::abs(number)))); }

bool IsVeryLargeOrSmall(double number) {
  return number != 0 && (std::abs(number) >= 1e9 || std::abs(number) < 1e-5);
}

// A cell under the header of its column, without unit.
std::string BareText(const Cell& cell, const Column& column, int decimals) {
  if (const auto* text = std::get_if<std::string>(&cell)) return PrintableText(*text);
  if (const auto* integer = std::get_if<int64_t>(&cell)) return StrCat(*integer);
  if (const auto* real = std::get_if<double>(&cell)) {
    return RealText(column.kind == Column::Kind::kShare ? *real * 100 : *real, decimals);
  }
  return "-";
}

std::string HeaderText(const Column& column) {
  std::string text = PrintableText(column.name);
  if (column.kind == Column::Kind::kShare) {
    text += ", %";
  } else if (!column.unit.empty()) {
    text += ", " + PrintableText(column.unit);
  }
  return text;
}

void AppendPadded(std::string_view text, size_t width, bool is_right, std::string& out) {
  const std::string padding(width - std::min(width, TextWidth(text)), ' ');
  if (is_right) out += padding;
  out += text;
  if (!is_right) out += padding;
}

void AppendLine(std::string& line, std::string& out) {
  line.erase(line.find_last_not_of(' ') + 1);
  out += line;
  out += '\n';
  line.clear();
}

void AppendDoubts(const std::vector<std::string>& doubts, std::string& out) {
  for (const std::string& doubt : doubts) out += "! " + PrintableText(doubt) + "\n";
}

void AppendPairs(const std::vector<std::pair<std::string, std::string>>& pairs, std::string& out) {
  size_t width = 0;
  for (const auto& [name, value] : pairs) width = std::max(width, TextWidth(PrintableText(name)));
  for (const auto& [name, value] : pairs) {
    out += "  ";
    AppendPadded(PrintableText(name), width, false, out);
    out += "  " + PrintableText(value) + "\n";
  }
}

// Header and shown rows as texts, by row.
std::vector<std::vector<std::string>> CellTexts(const Table& table, size_t num_rows) {
  std::vector<std::vector<std::string>> texts(num_rows + 1);
  for (size_t c = 0; c < table.columns.size(); ++c) {
    const int decimals = ColumnDecimals(table, c);
    texts[0].push_back(HeaderText(table.columns[c]));
    for (size_t r = 0; r < num_rows; ++r) {
      const std::vector<Cell>& row = table.rows[r];
      std::string text = c < row.size() ? BareText(row[c], table.columns[c], decimals) : "-";
      texts[r + 1].push_back(ShortenedText(text, kMaxCellWidth));
    }
  }
  return texts;
}

// Writes the bases of a table's shares, a line for each.
void AppendBases(const Table& table, std::string& out) {
  for (const Column& column : table.columns) {
    if (column.base.empty()) continue;
    out += StrCat("  ", PrintableText(column.name), ": of ", PrintableText(column.base), "\n");
  }
}

void AppendTextTable(const Table& table, bool all_rows, std::string& out) {
  out += StrCat("\n", PrintableText(table.title));
  if (!table.source.empty()) out += StrCat(" (", PrintableText(table.source), ")");
  out += '\n';
  AppendDoubts(table.doubts, out);
  if (table.rows.empty() || table.columns.empty()) {
    out += "  no rows\n";
    return;
  }
  const size_t num_rows = all_rows || table.num_shown == 0
                              ? table.rows.size()
                              : std::min(table.num_shown, table.rows.size());
  const auto texts = CellTexts(table, num_rows);
  std::vector<size_t> widths(table.columns.size());
  for (const auto& row : texts) {
    for (size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], TextWidth(row[c]));
  }
  std::string line;
  for (const auto& row : texts) {
    for (size_t c = 0; c < row.size(); ++c) {
      line += "  ";
      AppendPadded(row[c], widths[c], table.columns[c].kind != Column::Kind::kText, line);
    }
    AppendLine(line, out);
    if (&row != &texts[0]) continue;
    for (size_t width : widths) line += "  " + std::string(width, '-');
    AppendLine(line, out);
  }
  if (num_rows < table.rows.size()) {
    out += StrCat("  ... and ", table.rows.size() - num_rows, " more rows\n");
  }
  AppendBases(table, out);
}

}  // namespace

std::string RealText(double number) {
  if (std::isnan(number)) return "-";
  if (!std::isfinite(number)) return number > 0 ? "inf" : "-inf";
  if (IsVeryLargeOrSmall(number)) return DecimalText(number, std::chars_format::scientific, 3);
  if (number == 0) return "0";
  return DecimalText(number, std::chars_format::fixed, std::clamp(3 - Exponent(number), 0, 9));
}

std::string RealText(double number, int decimals) {
  if (!std::isfinite(number) || IsVeryLargeOrSmall(number)) return RealText(number);
  if (number != 0) decimals = std::max(decimals, std::min(1 - Exponent(number), 9));
  return DecimalText(number, std::chars_format::fixed, decimals);
}

int ColumnDecimals(const Table& table, size_t column) {
  if (table.columns[column].kind == Column::Kind::kShare) return 1;
  std::vector<double> sizes;
  for (const std::vector<Cell>& row : table.rows) {
    const double* real = column < row.size() ? std::get_if<double>(&row[column]) : nullptr;
    if (real && std::isfinite(*real) && *real != 0) sizes.push_back(std::abs(*real));
  }
  if (sizes.empty()) return 0;
  auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return std::clamp(2 - Exponent(*middle), 0, 6);
}

std::string CellText(const Cell& cell, const Column& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return PrintableText(*text);
  std::string number;
  if (const auto* integer = std::get_if<int64_t>(&cell)) {
    if (column.kind == Column::Kind::kShare) return RealText(*integer * 100.0, 0) + " %";
    number = StrCat(*integer);
  } else if (const auto* real = std::get_if<double>(&cell)) {
    if (std::isnan(*real)) return "-";
    if (column.kind == Column::Kind::kShare) return RealText(*real * 100, 1) + " %";
    number = RealText(*real);
  } else {
    return "-";
  }
  return column.unit.empty() ? number : StrCat(number, " ", PrintableText(column.unit));
}

std::string ReportText(const Report& report, bool all_rows) {
  std::string out = PrintableText(report.title) + "\n";
  out += std::string(TextWidth(PrintableText(report.title)), '=') + "\n";
  AppendPairs(report.properties, out);
  AppendDoubts(report.doubts, out);
  for (const Section& section : report.sections) {
    const std::string title = PrintableText(section.title);
    out += StrCat("\n", title, "\n", std::string(TextWidth(title), '-'), "\n");
    if (!section.text.empty()) out += PrintableText(section.text) + "\n";
    AppendPairs(section.facts, out);
    for (const Table& table : section.tables) AppendTextTable(table, all_rows, out);
  }
  return out;
}

}  // namespace tfrt::profiler
