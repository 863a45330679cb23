// Cells of sections by the names of their columns.
#ifndef TFRT_TEST_UNIT_PROFILER_ANALYSES_SECTION_CELLS_H_
#define TFRT_TEST_UNIT_PROFILER_ANALYSES_SECTION_CELLS_H_

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

inline const Cell* FindCell(const Table& table, size_t row, std::string_view column) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name == column && row < table.rows.size()) return &table.rows[row][i];
  }
  ADD_FAILURE() << "no column " << column << ", or no row " << row << " in " << table.id;
  return nullptr;
}
// NaN of nothing.
inline double Real(const Table& table, size_t row, std::string_view column) {
  const Cell* cell = FindCell(table, row, column);
  if (const double* real = cell ? std::get_if<double>(cell) : nullptr) return *real;
  if (const int64_t* integer = cell ? std::get_if<int64_t>(cell) : nullptr) {
    return static_cast<double>(*integer);
  }
  return std::nan("");
}
inline std::string Text(const Table& table, size_t row, std::string_view column) {
  const Cell* cell = FindCell(table, row, column);
  const std::string* text = cell ? std::get_if<std::string>(cell) : nullptr;
  return text ? *text : "";
}
inline std::string Fact(const Section& section, std::string_view name) {
  for (const auto& [fact, value] : section.facts) {
    if (fact.starts_with(name)) return value;
  }
  return "";
}

// What all sections promise: rows as long as columns, shares with a base, unique ids, charts of
// columns that are there.
inline void ExpectSound(const Section& section) {
  std::set<std::string> ids;
  for (const Table& table : section.tables) {
    EXPECT_TRUE(ids.insert(table.id).second) << table.id;
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.id;
    for (const Column& column : table.columns) {
      EXPECT_EQ(column.kind == Column::Kind::kShare, !column.base.empty())
          << table.id << ": " << column.name;
    }
  }
  for (const Chart& chart : section.charts) {
    const Table* table = nullptr;
    for (const Table& candidate : section.tables) {
      if (candidate.id == chart.table) table = &candidate;
    }
    ASSERT_NE(table, nullptr) << section.id << ": " << chart.table;
    for (const std::string& name : {chart.x, chart.y, chart.group, chart.size, chart.until}) {
      bool is_there = name.empty();
      for (const Column& column : table->columns) is_there |= column.name == name;
      EXPECT_TRUE(is_there) << chart.title << ": " << name;
    }
  }
}

}  // namespace tfrt::profiler

#endif  // TFRT_TEST_UNIT_PROFILER_ANALYSES_SECTION_CELLS_H_
