// The common parts of the specifications of all kinds of charts.
#ifndef TFRT_LIB_PROFILER_REPORT_CHART_PARTS_H_
#define TFRT_LIB_PROFILER_REPORT_CHART_PARTS_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chart_spec.h"
#include "tfrt/profiler/figures.h"

namespace tfrt::profiler {

// A chart in progress: its columns, found in its table, and its specification so far.
class ChartDraft {
 public:
  ChartDraft(const Chart& chart, const Table& table);

  // Returns why no chart can be made; empty: no known problem.
  const std::string& problem() const { return problem_; }
  void Fail(std::string why) { problem_ = std::move(why); }
  ChartSpec Finish() &&;

  const Chart& chart;
  const Table& table;
  size_t x = 0, y = 0;
  std::optional<size_t> group, size, until;
  std::vector<size_t> more;
  ChartSpec result;

  bool IsText(size_t column) const;
  const Column& ColumnAt(size_t column) const { return table.columns[column]; }
  // Return "c3" and "datum.c3".
  static std::string Field(size_t column);
  static std::string Datum(size_t column);
  // Returns the finite numbers of a column, in the order of rows. Rows without one are left out.
  std::vector<double> Numbers(size_t column) const;
  // Returns the distinct values of a column: numbers sorted, texts by first occurrence.
  std::vector<nlohmann::json> Distinct(size_t column) const;
  std::vector<std::string> DistinctTexts(size_t column) const;
  std::string CategoryAt(size_t row, size_t column) const;
  // Returns whether a value of x has several rows.
  bool HasRepeatedX() const;

  nlohmann::json& spec() { return result.spec; }
  nlohmann::json& data() { return spec()["data"][0]; }
  void AddSignal(std::string_view name, nlohmann::json value);
  // Adds a data set of these rows.
  void AddData(std::string_view name, nlohmann::json values);
  void AddTransform(nlohmann::json transform) {
    data()["transform"].push_back(std::move(transform));
  }
  void AddFilter(std::string_view expression);
  void AddFormula(std::string_view name, std::string_view expression);
  // Leaves out rows that have no number in a column (with `is_log`: none above zero). Fails if no
  // rows remain.
  void NeedNumber(size_t column, bool is_log);
  void AddScale(std::string_view name, std::string_view type, nlohmann::json domain,
                nlohmann::json range, nlohmann::json more = nlohmann::json::object());
  void AddMark(nlohmann::json mark) { spec()["marks"].push_back(std::move(mark)); }
  void AddAxis(nlohmann::json axis) { spec()["axes"].push_back(std::move(axis)); }

  // Makes `datum.g` the row's group and "color" the scale of groups. The largest kMaxGroups by the
  // sum of y have separate colours, in order of first occurrence.
  void AddGroups();
  // x as texts side by side or as numbers, with a share of a linear range on both sides. False, and
  // an error: there are no numbers.
  bool AddPlacesX(const std::vector<nlohmann::json>& values, double margin_share);
  // x as a linear or logarithmic scale over the numbers, which may be zoomed into.
  void AddNumberX(double begin, double end, bool is_log);
  // A scale of y over the numbers of a domain; logarithmic if y is.
  void AddNumberY(std::string_view scale, nlohmann::json domain, nlohmann::json range,
                  bool has_zero);
  void AddXAxis();
  void AddYAxis(size_t column);
  // Adds bands in the background of the chart; x must be a scale of numbers.
  void AddBands();

 private:
  std::optional<size_t> Find(std::string_view name);
  void NeedColumn(std::string_view name, std::string_view what, std::optional<size_t>& column);

  std::string problem_;
  std::vector<std::pair<size_t, bool>> needed_;  // columns of NeedNumber, and whether above zero
};

inline constexpr size_t kMaxGroups = 6;
inline constexpr std::string_view kOtherGroups = "all others";

// Return {"scale": ..., "field": ...}, {"signal": ...}, {"value": ...}.
nlohmann::json Scaled(std::string_view scale, std::string_view field);
nlohmann::json Signal(std::string_view expression);
nlohmann::json Value(nlohmann::json value);
// Returns the values of fields of a data set, as the domain of a scale.
nlohmann::json FieldOf(std::string_view data, std::string_view field);
// Returns a mark for each row of a data set; `encoding` has its properties.
nlohmann::json Mark(std::string_view type, std::string_view data, nlohmann::json encoding);
// Returns a mark that does not leave the plot.
nlohmann::json Clipped(nlohmann::json mark);
// Returns a mark that the mouse does not find.
nlohmann::json Passive(nlohmann::json mark);
// Returns a mark that has this opacity under the mouse.
nlohmann::json Hovered(nlohmann::json mark, nlohmann::json opacity);
// Returns the colour of a row's group.
nlohmann::json GroupColor();
// Returns a group of lines, one for each value of a field of a data set.
nlohmann::json LinesBy(std::string_view data, std::string_view field, nlohmann::json line_encoding);
// Returns the powers of ten between two numbers, if there are at least two.
nlohmann::json PowersOfTen(double low, double high);
// Returns a format of d3 for the labels of an axis.
std::string AxisFormat(const ChartDraft& draft, size_t column);

// The kinds, in chart_spec_series.cc and chart_spec.cc. They add marks, scales and axes.
void AddBars(ChartDraft& draft);
void AddStack(ChartDraft& draft);
void AddBoxes(ChartDraft& draft);
void AddLines(ChartDraft& draft);

}  // namespace tfrt::profiler

#endif  // TFRT_LIB_PROFILER_REPORT_CHART_PARTS_H_
