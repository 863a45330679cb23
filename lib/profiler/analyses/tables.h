// The common parts of the tables of analyses: columns, cells of values that may be unknown, one
// table for each subject.
#ifndef TFRT_LIB_PROFILER_ANALYSES_TABLES_H_
#define TFRT_LIB_PROFILER_ANALYSES_TABLES_H_

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiment.h"
#include "lib/profiler/figure_parts.h"
#include "stack_analyses.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

using Row = std::vector<Cell>;

inline constexpr double kMilli = 1e-6;  // of nanoseconds, to milliseconds
inline constexpr double kMega = 1e-6;   // of bytes, to megabytes of 10^6
inline constexpr double kGiga = 1e-9;   // of operations

// Returns a number, or an empty cell if it is unknown.
Cell CellOf(const Measurement& measurement, double scale);
Cell CellOf(std::optional<double> value);
// Returns part / whole, or an empty cell without one of them.
Cell ShareCell(const Measurement& part, double whole);

// Return the columns that tell of which layer or subject a row is, and further ones; and such rows.
std::vector<Column> LayerColumns(std::vector<Column> more);
Row LayerRow(const LayerSummary& layer, Row more);
std::vector<Column> SubjectColumns(std::vector<Column> more);
Row SubjectRow(const Subject& subject, Row more);

// Adds the columns for the operations and bytes of work: operations, bytes, occupancy, intensity,
// throughput, bound, and source.
void AddWorkColumns(Table* table);
// Determines the bound by the roof of a precision; empty if there is no roof of it. An unknown
// precision is that of the first roof.
void AddWorkCells(const Work& work, std::optional<double> occupancy, double latency_ns,
                  const std::vector<Chart::Roof>& roofs, std::string_view precision, Row* row);
// Returns "f32", "f64", "int8", "bf16" or "f16", from the kernel's name, otherwise from its layer's
// result; empty if neither names it.
std::string_view PrecisionOf(const Subject& subject, const KernelSummary& kernel);
// Returns the precision of the longest of the chosen kernels.
std::string_view PrecisionOf(const Subject& subject,
                             const std::function<bool(const KernelSummary&)>& is_chosen);
inline std::string_view PrecisionOfAll(const Subject& subject) {
  return PrecisionOf(subject, [](const KernelSummary&) { return true; });
}

// Returns the subjects that the options select.
std::vector<const Subject*> Wanted(const Study& study);

// Rows for an analysis that makes a table for each subject, and for one of all subjects together.
constexpr StackAnalysis ForEach(int number, std::string_view id, std::string_view title,
                                Level level, std::string_view table_title,
                                decltype(StackAnalysis::make_table) make,
                                std::string_view text = {}) {
  return {number, id, title, level, text, nullptr, make, table_title};
}
constexpr StackAnalysis ForAll(int number, std::string_view id, std::string_view title, Level level,
                               decltype(StackAnalysis::make) make, std::string_view text = {}) {
  return {number, id, title, level, text, make};
}

// The analyses of each file.
std::span<const StackAnalysis> ModelAnalyses();
std::span<const StackAnalysis> LayerAnalyses();
std::span<const StackAnalysis> KernelAnalyses();
std::span<const StackAnalysis> StageAnalyses();
std::span<const StackAnalysis> CounterAnalyses();

// Returns a table for one more part of the section: "batches", "batches-2".
Table PartOf(const Section& section, std::string title);
// Add charts of a table: bars, and roofs with a dot for each row, coloured by a column.
void AddBars(const Table& table, std::string title, std::string x, std::string y, Section* section,
             std::vector<Chart::Band> bands = {});
void AddRoofline(const Table& table, std::string title, std::string group,
                 std::vector<Chart::Roof> roofs, Section* section);

// Adds a fact. Facts of one subject among several name it.
void AddFact(const Study& study, const Subject& subject, std::string name, std::string value,
             Section* section);

// Returns beginning, middle and end: thirds of `count` things with numbers from 0.
std::vector<Chart::Band> Thirds(size_t count);
size_t ThirdOf(size_t index, size_t count);  // 0, 1, 2

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_TABLES_H_
