// Figures: the results of analyses, apart from their presentation. A Report consists of sections,
// and these of tables and of charts of them. It is printed as text, written as JSON, or made into
// an HTML page.
#ifndef TFRT_PROFILER_FIGURES_H_
#define TFRT_PROFILER_FIGURES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tfrt::profiler {

// The value of a row in a column. monostate: unknown, or not applicable to the row.
using Cell = std::variant<std::monostate, std::string, int64_t, double>;

struct Column {
  enum class Kind : uint8_t {
    kText,
    kInteger,
    kReal,
    kShare,  // from 0 to 1, shown as a percentage of `base`
  };
  std::string name;  // "latency"
  Kind kind = Kind::kReal;
  std::string unit = {};  // "ms", "Gflop", "MB" (10^6 bytes); empty: a plain number
  std::string base = {};  // for a share: "latency of the model without layers"
  std::string help = {};  // one sentence: how it is computed
};

struct Table {
  std::string id;     // unique in its report, of letters, digits and '-': "layers"
  std::string title;  // "Layers by latency"
  // The runs that it is made from, and their level of records: "8 runs at level layer".
  std::string source = {};
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each has as many cells as `columns`
  // Incomplete or doubtful parts, with reasons: "3 kernels are inside of no layer: left out".
  std::vector<std::string> doubts = {};
  // How many of many rows are shown at first; 0: all.
  size_t num_shown = 0;
  // The subject, if a section has such a table for each of several subjects: "resnet50, batch 4,
  // tfrt 0.1.0". A page shows the tables, charts and facts ("layers (SUBJECT)") of one subject at a
  // time.
  std::string subject = {};
};

// A picture of columns of one table.
struct Chart {
  enum class Kind : uint8_t {
    kBars,       // y by x
    kStack,      // y by x, stacked by `group`; shares add up to 1
    kLines,      // y by x, one line per group
    kSteps,      // y from x until the next x
    kPoints,     // y by x, one dot each, of size `size`
    kRoofline,   // as kPoints, with both axes logarithmic, and roofs
    kBoxes,      // five columns by x: minimum, lower, middle, upper, maximum (`y` and `more`)
    kHeatMap,    // `size` by x and y, in colours
    kIntervals,  // from x to `until`, one lane for each y: a timeline
    kHistogram,  // the number of rows, by x
  };
  // The roof of a precision: min(peak, intensity * bandwidth).
  struct Roof {
    std::string name;      // "f32, measured"
    double peak = 0;       // Gflop/s
    double bandwidth = 0;  // GB/s
  };

  Kind kind = Kind::kBars;
  std::string title;
  std::string table;  // its id, in the same section
  std::string x, y;   // names of columns
  std::string group = {}, size = {}, until = {};
  std::vector<std::string> more = {};
  bool x_is_log = false, y_is_log = false;
  std::vector<Roof> roofs = {};
  // Bands in the background of the chart, from x to x: "beginning", "middle", "end".
  struct Band {
    std::string name;
    double begin = 0, end = 0;
  };
  std::vector<Band> bands = {};
};

struct Section {
  std::string id;
  std::string title;
  std::string text;  // some sentences, for people; no markup
  // The most important results: ("throughput at batch 64", "812 items/s").
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::vector<Table> tables = {};
  std::vector<Chart> charts = {};
};

struct Report {
  std::string title;
  // The subject, place and method of the measurement.
  std::vector<std::pair<std::string, std::string>> properties = {};
  std::vector<Section> sections = {};
  std::vector<std::string> doubts = {};
};

// Returns "1.234 ms" for a cell of this column, by its kind and unit; "-" for an empty cell.
std::string CellText(const Cell& cell, const Column& column);
// Returns text for terminals: sections one after the other, tables aligned, their first num_shown
// rows (all with `all_rows`), without charts.
std::string ReportText(const Report& report, bool all_rows = false);
// Returns one JSON object with all data of the report; docs/profiling.md describes its form.
std::string ReportJson(const Report& report);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_FIGURES_H_
