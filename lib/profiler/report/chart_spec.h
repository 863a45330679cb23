// Charts as specifications of Vega.
#ifndef TFRT_LIB_PROFILER_REPORT_CHART_SPEC_H_
#define TFRT_LIB_PROFILER_REPORT_CHART_SPEC_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// The data that a page needs to draw a chart.
struct ChartSpec {
  // A specification of Vega 5. Null: there is no chart, and `note` has the reason.
  //
  // Its data set "table" has no rows yet. The page gives it the table's, as objects with the
  // columns c0, c1, ..., the row's group g0, and its number i. Its signals `palette`, `ink`,
  // `muted` and `paper` hold the colours of the page's theme. The signal `hidden` holds the groups
  // not to be shown, `xdom` the zoomed part of the x axis, or null.
  nlohmann::json spec;
  std::vector<size_t> fields;        // numbers of the columns that it takes from the table
  std::vector<std::string> groups;   // the values of the palette's colours, in order
  std::string group_label, y_label;  // their meaning
  std::string note;                  // "the first 40 of 120 rows"
  bool can_zoom = false;
  bool is_wide = false;  // takes a whole line of the page
};

// `table` is null if it is missing.
ChartSpec MakeChartSpec(const Chart& chart, const Table* table);

// Returns "latency (ms)", "share of the model's latency (%)".
std::string ColumnLabel(const Column& column);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_CHART_SPEC_H_
