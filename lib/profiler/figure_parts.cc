#include "figure_parts.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "lib/base/support/decimal_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {

Column TextColumn(std::string name, std::string help) {
  return {.name = std::move(name), .kind = Column::Kind::kText, .help = std::move(help)};
}
Column IntegerColumn(std::string name, std::string help) {
  return {.name = std::move(name), .kind = Column::Kind::kInteger, .help = std::move(help)};
}
Column RealColumn(std::string name, std::string unit, std::string help) {
  return {.name = std::move(name), .unit = std::move(unit), .help = std::move(help)};
}
Column ShareColumn(std::string name, std::string base, std::string help) {
  return {.name = std::move(name),
          .kind = Column::Kind::kShare,
          .base = std::move(base),
          .help = std::move(help)};
}

Cell IntegerCell(size_t value) { return static_cast<int64_t>(value); }
Cell ShareCell(double part, double whole) {
  if (!(whole > 0)) return {};
  return part / whole;
}

const Cell& CellAt(const Table& table, size_t row, size_t column) {
  static const Cell kNothing;
  const std::vector<Cell>& cells = table.rows[row];
  return column < cells.size() ? cells[column] : kNothing;
}

std::optional<double> NumberIn(const Cell& cell) {
  if (const auto* integer = std::get_if<int64_t>(&cell)) return static_cast<double>(*integer);
  const auto* real = std::get_if<double>(&cell);
  return real && std::isfinite(*real) ? std::optional(*real) : std::nullopt;
}

std::string PercentText(double share) { return FixedText(share * 100, 1, "%"); }

std::string FixedText(double value, int digits, std::string_view unit) {
  return StrCat(DecimalText(value, std::chars_format::fixed, digits), unit.empty() ? "" : " ",
                unit);
}

std::string NumberText(double value) { return DecimalText(value, std::chars_format::general, 15); }

}  // namespace tfrt::profiler
