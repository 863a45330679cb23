// Charts of points, of two sides, of time and of counts; and what chooses between all kinds.
#include "chart_spec.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "chart_parts.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxHeatMapSide = 200;
constexpr int kTimelineRowHeight = 17;
constexpr int kTimelineLaneGap = 24;  // with the lane's name in it
constexpr int64_t kMaxTimelineDepth = 32;

void AddDots(ChartDraft& draft) {
  if (draft.size) {
    draft.AddScale("size", "sqrt", FieldOf("table", draft.Field(*draft.size)), {16, 480},
                   {{"zero", true}});
    const std::string note = StrCat("area of a dot: ", ColumnLabel(draft.ColumnAt(*draft.size)));
    draft.result.note += draft.result.note.empty() ? note : "; " + note;
  }
  draft.AddMark(Hovered(
      Clipped(Mark("symbol", "table",
                   {{"x", Scaled("x", draft.Field(draft.x))},
                    {"y", Scaled("y", draft.Field(draft.y))},
                    {"size", draft.size ? Scaled("size", draft.Field(*draft.size)) : Value(50)},
                    {"fill", GroupColor()},
                    {"fillOpacity", Value(0.6)},
                    {"stroke", GroupColor()},
                    {"strokeWidth", Value(1)},
                    {"tooltip", Signal("datum")}})),
      1));
}

void AddPoints(ChartDraft& draft) {
  draft.NeedNumber(draft.y, draft.chart.y_is_log);
  draft.AddGroups();
  if (!draft.AddPlacesX(draft.Distinct(draft.x), 0.03)) return;
  draft.AddNumberY("y", FieldOf("table", draft.Field(draft.y)), "height", false);
  draft.AddYAxis(draft.y);
  draft.AddXAxis();
  AddDots(draft);
}

struct Extent {
  double low = INFINITY, high = 0;
  void Add(double number) {
    if (number <= 0 || !std::isfinite(number)) return;
    low = std::min(low, number), high = std::max(high, number);
  }
};

// Points of roofs between the ends of x, and where they bend.
Json RoofPoints(const Chart& chart, double scale, const Extent& x) {
  Json points = Json::array();
  std::vector<Chart::Roof> roofs = chart.roofs;
  std::ranges::stable_sort(roofs, std::greater<>(), &Chart::Roof::peak);
  int number = -1;
  for (const Chart::Roof& roof : roofs) {
    if (!(roof.peak > 0 && roof.bandwidth > 0)) continue;
    ++number;
    const double ridge = roof.peak / roof.bandwidth;
    for (double at : {x.low, ridge, x.high}) {
      points.push_back({{"name", roof.name},
                        {"x", at},
                        {"y", std::min(roof.peak, at * roof.bandwidth) / scale},
                        {"ridge", ridge},
                        {"number", number},
                        {"is_ridge", at == ridge}});
    }
  }
  return points;
}

void AddRoofMarks(ChartDraft& draft) {
  const Json x = Scaled("x", "x"), y = Scaled("y", "y");
  draft.AddMark(
      LinesBy("roofs", "name",
              {{"x", x}, {"y", y}, {"stroke", Signal("ink")}, {"strokeWidth", Value(1.25)}}));
  draft.spec()["data"].push_back(
      {{"name", "ridges"},
       {"source", "roofs"},
       {"transform", Json::array({{{"type", "filter"}, {"expr", "datum.is_ridge"}}})}});
  draft.AddMark(Passive(Clipped(Mark("rule", "ridges",
                                     {{"x", x},
                                      {"y", y},
                                      {"y2", Signal("height")},
                                      {"stroke", Signal("muted")},
                                      {"strokeDash", Value({2, 3})}}))));
  // The name at the flat part, above that of the highest roof, below those of others.
  draft.AddMark(Passive(
      Mark("text", "ridges",
           {{"x", Signal("width - 2 - max(0, datum.number - 1) * 190")},
            {"y", {{"scale", "y"}, {"field", "y"}, {"offset", Signal("datum.number ? 12 : -5")}}},
            {"align", Value("right")},
            {"limit", Signal("width * 0.8")},
            {"fill", Signal("ink")},
            {"text", Signal("datum.name + '  (ridge ' + format(datum.ridge, '.3~r') + ')'")}})));
}

void AddRoofline(ChartDraft& draft) {
  Extent x, y;
  for (double number : draft.Numbers(draft.x)) x.Add(number);
  for (double number : draft.Numbers(draft.y)) y.Add(number);
  if (x.high == 0 || y.high == 0) return draft.Fail("there are no numbers above zero to show");
  draft.NeedNumber(draft.x, true);
  draft.NeedNumber(draft.y, true);
  draft.AddGroups();
  // Roofs come in Gflop/s.
  const std::string& unit = draft.ColumnAt(draft.y).unit;
  const double scale = unit == "Tflop/s" ? 1e3 : unit == "Mflop/s" ? 1e-3 : 1;
  for (const Chart::Roof& roof : draft.chart.roofs) {
    if (!(roof.peak > 0 && roof.bandwidth > 0)) continue;
    x.Add(roof.peak / roof.bandwidth);
    y.Add(roof.peak / scale);
  }
  x.low /= 2, x.high *= 4;
  y.low /= 2, y.high *= 2.5;
  draft.AddData("roofs", RoofPoints(draft.chart, scale, x));
  draft.AddNumberX(x.low, x.high, true);
  draft.AddScale("y", "log", {y.low, y.high}, "height", {{"nice", false}});
  draft.AddYAxis(draft.y);
  draft.AddXAxis();
  draft.spec()["height"] = 320;
  AddRoofMarks(draft);
  AddDots(draft);
}

// Fields in their colours, with their numbers where there is room.
void AddHeatMapMarks(ChartDraft& draft, const std::string& field) {
  const Json x = Scaled("x", draft.Field(draft.x)), y = Scaled("y", draft.Field(draft.y));
  draft.AddMark(Mark("rect", "table",
                     {{"x", x},
                      {"y", y},
                      {"width", {{"scale", "x"}, {"band", 1}}},
                      {"height", {{"scale", "y"}, {"band", 1}}},
                      {"cornerRadius", Value(2)},
                      {"fill", Scaled("heat", field)},
                      {"tooltip", Signal("datum")}}));
  const std::string datum = draft.Datum(*draft.size);
  const bool is_share = draft.ColumnAt(*draft.size).kind == Column::Kind::kShare;
  const std::string number = StrCat("format(", datum, is_share ? ", '.0%')" : ", ',.3~r')");
  Json middle_x = x, middle_y = y;
  middle_x["band"] = 0.5, middle_y["band"] = 0.5;
  draft.AddMark(Passive(
      Mark("text", "table",
           {{"x", middle_x},
            {"y", middle_y},
            {"align", Value("center")},
            {"baseline", Value("middle")},
            {"text", Signal("bandwidth('x') > 34 && bandwidth('y') > 14 ? " + number + " : ''")},
            {"fill",
             Signal(StrCat("luminance(scale('heat', ", datum, ")) > 0.3 ? '#111' : '#fff'"))}})));
}

void AddHeatMap(ChartDraft& draft) {
  if (!draft.size) return draft.Fail("a heat map needs a column for its colours");
  const std::vector<Json> xs = draft.Distinct(draft.x), ys = draft.Distinct(draft.y);
  if (xs.size() > kMaxHeatMapSide || ys.size() > kMaxHeatMapSide) {
    return draft.Fail(
        StrCat("a heat map of ", xs.size(), " x ", ys.size(), " fields is too large"));
  }
  size_t longest = 1;
  for (const Json& value : xs) {
    longest = std::max(longest, value.is_string() ? value.get_ref<const std::string&>().size() : 5);
  }
  draft.NeedNumber(*draft.size, false);
  const std::string field = draft.Field(*draft.size);
  draft.spec()["height"] = ys.size() * (ys.size() > 30 ? 16 : 30);
  draft.AddScale("x", "band", xs, "width", {{"padding", 0.04}});
  draft.AddScale("y", "band", ys, {0, Signal("height")}, {{"padding", 0.04}});
  draft.AddScale("heat", "linear", FieldOf("table", field), "heatmap",
                 {{"interpolate", "lab"}, {"zero", false}});
  const bool is_steep = xs.size() * (longest * 7 + 10) > 520;
  Json x_axis = {{"scale", "x"},
                 {"orient", "bottom"},
                 {"domain", false},
                 {"ticks", false},
                 {"title", ColumnLabel(draft.ColumnAt(draft.x))},
                 {"labelLimit", 140}};
  if (is_steep) {
    x_axis.update({{"labelAngle", -40}, {"labelAlign", "right"}, {"labelBaseline", "middle"}});
  }
  draft.AddAxis(std::move(x_axis));
  draft.AddAxis({{"scale", "y"},
                 {"orient", "left"},
                 {"domain", false},
                 {"ticks", false},
                 {"labelLimit", Signal("clamp(room * 0.3, 60, 240)")}});
  AddHeatMapMarks(draft, field);
  draft.result.note = StrCat("colour: ", ColumnLabel(draft.ColumnAt(*draft.size)));
}

// How many lines each lane needs: the depth of what is nested, from 0.
std::map<std::string, int64_t> LaneDepths(const ChartDraft& draft) {
  std::map<std::string, int64_t> depths;
  for (size_t row = 0; row < draft.table.rows.size(); ++row) {
    int64_t& depth = depths[draft.CategoryAt(row, draft.y)];
    if (!draft.size || *draft.size >= draft.table.rows[row].size()) continue;
    const auto* integer = std::get_if<int64_t>(&draft.table.rows[row][*draft.size]);
    if (integer) depth = std::max(depth, std::min(*integer, kMaxTimelineDepth));
  }
  return depths;
}

// Names of lanes, rectangles, and names in them.
void AddIntervalMarks(ChartDraft& draft) {
  draft.AddMark(Passive(Mark("text", "lanes",
                             {{"x", Value(2)},
                              {"y", {{"field", "y"}, {"offset", -5}}},
                              {"limit", Signal("width - 4")},
                              {"text", {{"field", "name"}}},
                              {"fontWeight", Value(600)},
                              {"fill", Signal("muted")}})));
  Json events =
      Mark("rect", "shown",
           {{"x", Signal("scale('x', datum.a)")},
            {"width", Signal("max(0.75, scale('x', datum.b) - scale('x', datum.a) - 0.5)")},
            {"y", {{"field", "y"}}},
            {"height", Value(kTimelineRowHeight - 2)},
            {"fill", GroupColor()},
            {"fillOpacity", Signal("datum.n > 1 ? 0.55 : 1")},
            {"tooltip", Signal("datum")}});
  events["name"] = "events";
  draft.AddMark(Hovered(Clipped(std::move(events)), 0.75));
  draft.AddMark(Passive(Clipped(
      Mark("text", "shown",
           {{"x", Signal("max(0, scale('x', datum.a)) + 4")},
            {"y", {{"field", "y"}, {"offset", (kTimelineRowHeight - 2) / 2.0}}},
            {"baseline", Value("middle")},
            {"limit",
             Signal("max(1, min(width, scale('x', datum.b)) - max(0, scale('x', datum.a)) - 7)")},
            {"fontSize", Value(10.5)},
            {"fill", Signal("luminance(scale('color', datum.g)) > 0.3 ? '#111' : '#fff'")},
            {"text", {{"field", "label"}}}}))));
}

// The page draws what of it can be seen: it puts rectangles into "shown" (a, b: their ends, y:
// their top, g, label).
void AddIntervals(ChartDraft& draft) {
  if (!draft.until) return draft.Fail("a timeline needs a column for the ends");
  if (!draft.IsText(draft.y)) return draft.Fail("the lanes of a timeline are texts");
  const std::vector<double> begins = draft.Numbers(draft.x), ends = draft.Numbers(*draft.until);
  if (begins.empty() || ends.empty()) return draft.Fail("there are no numbers to show");
  draft.AddGroups();
  draft.data()["transform"] = Json::array();
  Json lanes = Json::array();
  std::map<std::string, int64_t> depths = LaneDepths(draft);
  int64_t top = 0;
  for (const std::string& lane : draft.DistinctTexts(draft.y)) {
    lanes.push_back({{"name", lane}, {"y", top + kTimelineLaneGap}, {"depth", depths[lane]}});
    top += kTimelineLaneGap + (depths[lane] + 1) * kTimelineRowHeight;
  }
  draft.spec()["height"] = top + 4;
  draft.spec()["padding"]["top"] = 2;
  draft.AddData("lanes", lanes);
  draft.AddData("shown", Json::array());
  draft.AddNumberX(std::ranges::min(begins), std::ranges::max(ends), false);
  draft.AddXAxis();
  const std::string& unit = draft.ColumnAt(draft.x).unit;
  draft.spec()["axes"].back()["title"] = unit.empty() ? "time" : StrCat("time (", unit, ")");
  draft.spec()["axes"].back()["orient"] = "top";
  draft.spec()["axes"].back()["grid"] = true;
  AddIntervalMarks(draft);
  draft.result.is_wide = true;
  draft.result.y_label.assign(1, ' ');  // lanes have names of their own
}

// Bins of a round width, or of a fifth of a power of ten.
struct Bins {
  double first = 0, width = 1;
  bool is_log = false;
  double At(double number) const {
    return std::floor(((is_log ? std::log10(number) : number) - first) / width);
  }
  double Begin(double bin) const {
    const double at = first + bin * width;
    return is_log ? std::pow(10, at) : at;
  }
};

Bins MakeBins(const std::vector<double>& numbers, bool is_log) {
  Bins bins{.is_log = is_log};
  double low = std::ranges::min(numbers), high = std::ranges::max(numbers);
  if (is_log) low = std::log10(low), high = std::log10(high);
  const double wanted = std::clamp(2 * std::sqrt(static_cast<double>(numbers.size())), 12.0, 40.0);
  double width = (high - low) / wanted;
  if (!(width > 0)) width = low != 0 ? std::abs(low) / 10 : 1;
  const double power = std::pow(10, std::floor(std::log10(width)));
  const double digits = width / power;
  bins.width = power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
  bins.first = std::floor(low / bins.width) * bins.width;
  return bins;
}

void AddHistogram(ChartDraft& draft) {
  const bool is_log = draft.chart.x_is_log;
  std::vector<double> numbers = draft.Numbers(draft.x);
  if (is_log) std::erase_if(numbers, [](double number) { return number <= 0; });
  if (numbers.empty()) return draft.Fail("there are no numbers to show");
  const Bins bins = MakeBins(numbers, is_log);
  std::map<double, int64_t> counts;
  for (double number : numbers) ++counts[bins.At(number)];
  Json values = Json::array();
  for (const auto& [bin, count] : counts) {
    values.push_back({{"from", bins.Begin(bin)}, {"to", bins.Begin(bin + 1)}, {"rows", count}});
  }
  draft.AddData("bins", values);
  draft.AddNumberX(values.front()["from"].get<double>(), values.back()["to"].get<double>(), is_log);
  draft.AddBands();
  draft.AddScale("y", "linear", FieldOf("bins", "rows"), "height",
                 {{"zero", true}, {"nice", true}});
  draft.AddYAxis(draft.x);
  draft.spec()["axes"].back()["format"] = "~s";
  draft.spec()["axes"].back()["tickMinStep"] = 1;
  draft.AddXAxis();
  draft.AddMark(Hovered(Clipped(Mark("rect", "bins",
                                     {{"x", {{"scale", "x"}, {"field", "from"}, {"offset", 0.5}}},
                                      {"x2", {{"scale", "x"}, {"field", "to"}, {"offset", -0.5}}},
                                      {"y", Scaled("y", "rows")},
                                      {"y2", {{"scale", "y"}, {"value", 0}}},
                                      {"fill", Signal("palette[0]")},
                                      {"fillOpacity", Value(1)},
                                      {"tooltip", Signal("datum")}})),
                        0.75));
  draft.result.y_label = "number of rows";
}

}  // namespace

std::string ColumnLabel(const Column& column) {
  if (column.kind == Column::Kind::kShare) {
    return column.base.empty() ? column.name : StrCat(column.name, " (of ", column.base, ")");
  }
  return column.unit.empty() ? column.name : StrCat(column.name, " (", column.unit, ")");
}

ChartSpec MakeChartSpec(const Chart& chart, const Table* table) {
  ChartSpec nothing;
  if (!table) {
    nothing.note = StrCat("there is no table '", chart.table, "'");
    return nothing;
  }
  ChartDraft draft(chart, *table);
  if (!draft.problem().empty()) return std::move(draft).Finish();
  // By the values of the enumeration.
  constexpr void (*kAdd[])(ChartDraft&) = {AddBars,      AddStack,    AddLines, AddLines,
                                           AddPoints,    AddRoofline, AddBoxes, AddHeatMap,
                                           AddIntervals, AddHistogram};
  kAdd[static_cast<size_t>(chart.kind)](draft);
  return std::move(draft).Finish();
}

}  // namespace tfrt::profiler
