// The common parts of tables: columns, cells of values that may be unknown, and numbers as texts.
#ifndef TFRT_LIB_PROFILER_FIGURE_PARTS_H_
#define TFRT_LIB_PROFILER_FIGURE_PARTS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

Column TextColumn(std::string name, std::string help = {});
Column IntegerColumn(std::string name, std::string help = {});
Column RealColumn(std::string name, std::string unit, std::string help = {});
Column ShareColumn(std::string name, std::string base, std::string help = {});

Cell IntegerCell(size_t value);
// Returns part / whole, or an empty cell without a whole.
Cell ShareCell(double part, double whole);
// Returns an empty cell where the row has no such column.
const Cell& CellAt(const Table& table, size_t row, size_t column);
// Returns the finite number of a cell; nullopt: it has none.
std::optional<double> NumberIn(const Cell& cell);

// Return "12.3 %" and "1.23 ms".
std::string PercentText(double share);
std::string FixedText(double value, int digits, std::string_view unit = {});
// Formats a number of things, which is usually whole.
std::string NumberText(double value);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_FIGURE_PARTS_H_
