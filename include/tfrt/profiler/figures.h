// Figures: what analyses say, apart from how it is shown. A Report is made of sections, these of
// tables and of charts of them; it is printed as text, written as JSON, or made into an HTML page.
#ifndef TFRT_PROFILER_FIGURES_H_
#define TFRT_PROFILER_FIGURES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tfrt::profiler {

// Nothing: not known, or not a thing that the row has.
using Cell = std::variant<std::monostate, std::string, int64_t, double>;

struct Column {
  enum class Kind : uint8_t {
    kText,
    kInteger,
    kReal,
    kShare,  // from 0 to 1, shown as a percentage; `base` says of what
  };
  std::string name;  // "latency"
  Kind kind = Kind::kReal;
  std::string unit = {};  // "ms", "Gflop", "MB" (10^6 bytes); empty: a number
  std::string base = {};  // of a share: "latency of the model without layers"
  std::string help = {};  // one sentence: how it comes about
};

struct Table {
  std::string id;     // unique in its report, of letters, digits and '-': "layers"
  std::string title;  // "Layers by latency"
  // From which runs, with what level of records: "8 runs at level layer".
  std::string source = {};
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // as long as `columns`
  // What is incomplete or doubtful, and why: "3 kernels are inside of no layer: left out".
  std::vector<std::string> doubts = {};
  // Of many rows, how many readers want to see at first; 0: all.
  size_t num_shown = 0;
  // What it is about, where a section has such a table for each of several things: "resnet50, batch
  // 4, tfrt 0.1.0". A page shows the tables, charts and facts ("layers (SUBJECT)") of one at a
  // time.
  std::string subject = {};
};

// A picture of columns of one table.
struct Chart {
  enum class Kind : uint8_t {
    kBars,       // y by x
    kStack,      // y by x, one on the other by `group`; shares add up to 1
    kLines,      // y by x, one line a group
    kSteps,      // y from x until the next x
    kPoints,     // y by x, a dot each, of size `size`
    kRoofline,   // the same with both axes logarithmic, and roofs
    kBoxes,      // five columns by x: minimum, lower, middle, upper, maximum (`y` and `more`)
    kHeatMap,    // `size` by x and y, in colours
    kIntervals,  // from x to `until`, one lane for each y: a timeline
    kHistogram,  // how many rows there are, by x
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
  // Bands behind the chart, from x to x: "beginning", "middle", "end".
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
  // What one would say first: ("throughput at batch 64", "812 items/s").
  std::vector<std::pair<std::string, std::string>> facts = {};
  std::vector<Table> tables = {};
  std::vector<Chart> charts = {};
};

struct Report {
  std::string title;
  // What was measured where and how.
  std::vector<std::pair<std::string, std::string>> properties = {};
  std::vector<Section> sections = {};
  std::vector<std::string> doubts = {};
};

// "1.234 ms" of a cell of this column, by its kind and unit; "-" for nothing.
std::string CellText(const Cell& cell, const Column& column);
// For terminals: sections one after the other, tables aligned, their first num_shown rows (all with
// `all_rows`), charts left out.
std::string ReportText(const Report& report, bool all_rows = false);
// One JSON object with all that the report holds; its form is described in docs/profiling.md.
std::string ReportJson(const Report& report);

}  // namespace tfrt::profiler

#endif  // TFRT_PROFILER_FIGURES_H_
