// The common parts of the tables of analyses: columns, cells of values that may be unknown, one
// table for each subject.
#ifndef TFRT_LIB_PROFILER_ANALYSES_TABLES_H_
#define TFRT_LIB_PROFILER_ANALYSES_TABLES_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment.h"
#include "stack_analyses.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

using Row = std::vector<Cell>;

Column TextColumn(std::string name, std::string help = {});
Column IntegerColumn(std::string name, std::string help = {});
Column RealColumn(std::string name, std::string unit, std::string help = {});
Column ShareColumn(std::string name, std::string base, std::string help = {});

inline constexpr double kMilli = 1e-6;  // of nanoseconds, to milliseconds
inline constexpr double kMega = 1e-6;   // of bytes, to megabytes of 10^6
inline constexpr double kGiga = 1e-9;   // of operations

// Returns a number, or an empty cell if it is unknown.
Cell CellOf(const Measurement& measurement, double scale);
Cell CellOf(std::optional<double> value);
Cell IntegerCell(size_t value);
// Returns part / whole, or an empty cell without a whole.
Cell ShareCell(double part, double whole);
// Return "12.3 %" and "1.23 ms", for facts.
std::string PercentText(double share);
std::string FixedText(double value, int digits, std::string_view unit = {});

// Returns the columns for the operations and bytes of work: operations, bytes, occupancy,
// intensity, throughput, bound, and source.
std::vector<Column> WorkColumns();
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
std::vector<const Subject*> Wanted(const Experiment& experiment, const AnalysisOptions& options);

// Makes a section with a table for each selected subject. The function `make` receives each table
// without columns and rows, adds these, and may add charts and facts. Tables without a row are left
// out. If all are, the section's text reports the missing data.
struct SectionFrame {
  std::string_view id, title, text;
  std::string_view table_title;  // "Layers": "Layers of resnet50, batch 4, tfrt"
  Level level = Level::kLayer;
};
Section PerSubject(const Experiment& experiment, const AnalysisOptions& options,
                   const SectionFrame& frame,
                   const std::function<void(const Subject&, Table*, Section*)>& make);

// Adds a fact. Facts of one subject among several name it.
void AddFact(const Subject& subject, const Experiment& experiment, std::string name,
             std::string value, Section* section);

// Returns beginning, middle and end: thirds of `count` things with numbers from 0.
std::vector<Chart::Band> Thirds(size_t count);
size_t ThirdOf(size_t index, size_t count);  // 0, 1, 2

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_ANALYSES_TABLES_H_
