// What the tables of analyses have in common: columns, cells of what may be unknown, one table for
// each subject.
#ifndef TFRT_LIB_PROFILER_STACK_TABLES_H_
#define TFRT_LIB_PROFILER_STACK_TABLES_H_

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tfrt/profiler/experiment.h"
#include "tfrt/profiler/figures.h"
#include "tfrt/profiler/machine.h"
#include "tfrt/profiler/stack_analyses.h"

namespace tfrt::profiler {

using Row = std::vector<Cell>;

Column TextColumn(std::string name, std::string help = {});
Column IntegerColumn(std::string name, std::string help = {});
Column RealColumn(std::string name, std::string unit, std::string help = {});
Column ShareColumn(std::string name, std::string base, std::string help = {});

inline constexpr double kMilli = 1e-6;  // of nanoseconds, to milliseconds
inline constexpr double kMega = 1e-6;   // of bytes, to megabytes of 10^6
inline constexpr double kGiga = 1e-9;   // of operations

// A number; nothing if it is unknown.
Cell CellOf(const Measurement& measurement, double scale);
Cell CellOf(std::optional<double> value);
Cell IntegerCell(size_t value);
// part / whole; nothing without a whole.
Cell ShareCell(double part, double whole);
// "12.3 %" and "1.23 ms", for facts.
std::string PercentText(double share);
std::string FixedText(double value, int digits, std::string_view unit = {});

// ", of which a quota gives 1.50"; empty without one that matters.
std::string QuotaText(const Processor& processor);

// The columns of what is computed and moved: operations, bytes, occupancy, intensity, throughput,
// bound, and how it is known.
std::vector<Column> WorkColumns();
// The bound is by the roof of a precision; empty if there is no roof of it. A precision that is not
// known is that of the first roof.
void AddWorkCells(const Work& work, std::optional<double> occupancy, double latency_ns,
                  const std::vector<Chart::Roof>& roofs, std::string_view precision, Row* row);
// "f32", "f64", "int8", "bf16", "f16", as the kernel's name says, else its layer's result; empty:
// neither says it.
std::string_view PrecisionOf(const Subject& subject, const KernelSummary& kernel);
// The precision of the longest kernel of those that are chosen.
std::string_view PrecisionOf(const Subject& subject,
                             const std::function<bool(const KernelSummary&)>& is_chosen);
inline std::string_view PrecisionOfAll(const Subject& subject) {
  return PrecisionOf(subject, [](const KernelSummary&) { return true; });
}

// The subjects that the options want.
std::vector<const Subject*> Wanted(const Experiment& experiment, const AnalysisOptions& options);

// A section with a table for each subject that is wanted, made by `make`, which gets its table with
// all but columns and rows, and may add charts and facts. Tables without a row are left out; if all
// are, the section's text says what is missing.
struct SectionFrame {
  std::string_view id, title, text;
  std::string_view table_title;  // "Layers": "Layers of resnet50, batch 4, tfrt"
  Level level = Level::kLayer;
};
Section PerSubject(const Experiment& experiment, const AnalysisOptions& options,
                   const SectionFrame& frame,
                   const std::function<void(const Subject&, Table*, Section*)>& make);

// Facts of one subject among several name it.
void AddFact(const Subject& subject, const Experiment& experiment, std::string name,
             std::string value, Section* section);

// Beginning, middle and end: thirds of `count` things with numbers from 0.
std::vector<Chart::Band> Thirds(size_t count);
size_t ThirdOf(size_t index, size_t count);  // 0, 1, 2

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_STACK_TABLES_H_
