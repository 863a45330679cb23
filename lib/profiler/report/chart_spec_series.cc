// Charts of y by x: bars, stacks, boxes, lines and steps.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "chart_parts.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxFlatRows = 40;
constexpr size_t kMaxBands = 60;
constexpr size_t kMaxStackRows = 20'000;

// Where bars stand: side by side along x, each with a place of its own or at its number; or, where
// x is text, lying one below the other.
struct Places {
  bool is_flat = false;
  bool is_number = false;
  double step = 1;               // between numbers
  bool has_parts = false;        // a place is divided between groups
  const char* across = "x";      // the scale of places
  const char* along = "y";       // the scale of what is shown
  const char* length = "width";  // of a bar's side across
};

double SmallestStep(const std::vector<Json>& numbers) {
  double step = INFINITY;
  for (size_t i = 1; i < numbers.size(); ++i) {
    step = std::min(step, numbers[i].get<double>() - numbers[i - 1].get<double>());
  }
  return std::isfinite(step) && step > 0 ? step : 1;
}

// Makes the scale of places. A chart of many texts shows the first ones.
Places AddPlaces(ChartDraft& draft, bool may_have_parts) {
  Places places;
  std::vector<Json> values = draft.Distinct(draft.x);
  places.is_flat = draft.IsText(draft.x);
  places.has_parts =
      may_have_parts && draft.group && draft.HasRepeatedX() && draft.result.groups.size() > 1;
  if (!places.is_flat) {
    draft.NeedNumber(draft.x, false);
    if (!draft.problem().empty()) return places;
    places.step = SmallestStep(values);
    const double extent =
        values.empty() ? 0 : values.back().get<double>() - values.front().get<double>();
    places.is_number = (values.size() > 12 && extent / places.step < 3.0 * values.size()) ||
                       values.size() > kMaxBands || !draft.chart.bands.empty();
  }
  if (places.is_number) {
    draft.AddNumberX(values.front().get<double>() - places.step / 2,
                     values.back().get<double>() + places.step / 2, false);
    draft.AddBands();
  } else {
    if (places.is_flat && values.size() > kMaxFlatRows) {
      draft.result.note = StrCat("the first ", kMaxFlatRows, " of ", values.size(), " bars");
      values.resize(kMaxFlatRows);
      draft.AddSignal("shown", values);
      draft.AddFilter(StrCat("indexof(shown, ", draft.Datum(draft.x), ") >= 0"));
    }
    const size_t num_parts = places.has_parts ? draft.result.groups.size() : 1;
    if (places.is_flat) {
      places.across = "y", places.along = "x", places.length = "height";
      draft.spec()["height"] = values.size() * (num_parts == 1 ? 24 : 8 + 13 * num_parts);
    }
    draft.AddScale(places.across, "band", values, places.length,
                   {{"paddingInner", 0.25}, {"paddingOuter", 0.125}});
  }
  if (places.has_parts) {
    const std::string size =
        places.is_number ? StrCat("abs(scale('x', ", places.step * 0.9, ") - scale('x', 0))")
                         : StrCat("bandwidth('", places.across, "')");
    draft.AddScale("part", "band", draft.result.groups, Json::array({0, Signal(size)}));
  }
  return places;
}

// Sets the begin and the size of a bar across; `inset` is the share of it left free at either side.
void PlaceBar(const ChartDraft& draft, const Places& places, double inset, Json& encode) {
  const std::string datum = draft.Datum(draft.x);
  std::string begin = StrCat("scale('", places.across, "', ", datum, ")");
  std::string size = StrCat("bandwidth('", places.across, "')");
  if (places.is_number) {
    begin = StrCat("scale('x', ", datum, " - ", places.step * 0.45, ")");
    size = StrCat("max(0.5, scale('x', ", datum, " + ", places.step * 0.45, ") - ", begin, ")");
  }
  if (places.has_parts) {
    begin += " + scale('part', datum.g)";
    size = "bandwidth('part')";
  }
  encode[places.across] = Signal(StrCat(begin, " + ", inset, " * ", size));
  encode[places.length] = Signal(StrCat(1 - 2 * inset, " * ", size));
}

// The scale along bars, and both axes.
void AddLength(ChartDraft& draft, const Places& places, Json domain, size_t column, bool has_zero) {
  draft.AddNumberY(places.along, std::move(domain), places.is_flat ? "width" : "height", has_zero);
  draft.AddYAxis(column);
  if (!places.is_flat) return draft.AddXAxis();
  draft.spec()["axes"].back().update({{"scale", "x"},
                                      {"orient", "bottom"},
                                      {"labelFlush", true},
                                      {"tickCount", Signal("max(2, ceil(width / 100))")}});
  draft.AddAxis({{"scale", "y"},
                 {"orient", "left"},
                 {"domain", false},
                 {"ticks", false},
                 {"labelPadding", 6},
                 {"labelLimit", Signal("clamp(room * 0.36, 70, 280)")}});
}

Json Bar(const Places& places, Json encode, Json from, Json to) {
  encode[places.along] = std::move(from);
  encode[StrCat(places.along, "2")] = std::move(to);
  encode["fill"] = GroupColor();
  encode["fillOpacity"] = Value(1);
  encode["tooltip"] = Signal("datum");
  return Hovered(Clipped(Mark("rect", "table", std::move(encode))), 0.75);
}

}  // namespace

void AddBars(ChartDraft& draft) {
  draft.NeedNumber(draft.y, draft.chart.y_is_log);
  draft.AddGroups();
  const Places places = AddPlaces(draft, true);
  AddLength(draft, places, FieldOf("table", draft.Field(draft.y)), draft.y, true);
  Json encode;
  PlaceBar(draft, places, places.has_parts ? 0.04 : 0, encode);
  Json base = {{"scale", places.along}, {"value", 0}};
  if (draft.chart.y_is_log) base = places.is_flat ? Json{{"value", 0}} : Signal("height");
  draft.AddMark(Bar(places, encode, Scaled(places.along, draft.Field(draft.y)), base));
  if (!places.is_flat || places.has_parts) return;
  // Lying bars have their numbers at their ends, and so need no axis.
  draft.spec()["axes"].erase(0);
  draft.spec()["scales"].back()["range"] = {0, Signal("width - 62")};
  draft.spec()["scales"].back()["nice"] = false;
  const bool is_share = draft.ColumnAt(draft.y).kind == Column::Kind::kShare;
  const std::vector<double> numbers = draft.Numbers(draft.y);
  const bool is_large = !numbers.empty() && std::ranges::max(numbers) >= 1e6;
  const char* format = is_share ? ", '.1%')" : is_large ? ", '.3~s')" : ", ',.4~r')";
  draft.AddMark(
      Passive(Mark("text", "table",
                   {{"x", {{"scale", "x"}, {"field", draft.Field(draft.y)}, {"offset", 5}}},
                    {"y", {{"scale", "y"}, {"field", draft.Field(draft.x)}, {"band", 0.5}}},
                    {"baseline", Value("middle")},
                    {"fill", Signal("muted")},
                    {"text", Signal(StrCat("format(", draft.Datum(draft.y), format))}})));
}

void AddStack(ChartDraft& draft) {
  if (draft.table.rows.size() > kMaxStackRows) {
    return draft.Fail(StrCat("a stack of ", draft.table.rows.size(), " rows cannot be read"));
  }
  draft.NeedNumber(draft.y, false);
  draft.AddGroups();
  const Places places = AddPlaces(draft, false);
  draft.AddFormula("order", draft.group ? "indexof(groups, datum.g)" : "0");
  draft.AddTransform({{"type", "stack"},
                      {"groupby", {draft.Field(draft.x)}},
                      {"sort", {{"field", "order"}}},
                      {"field", draft.Field(draft.y)},
                      {"as", {"from", "to"}}});
  const bool is_share = draft.ColumnAt(draft.y).kind == Column::Kind::kShare;
  Json domain = {{"data", "table"}, {"fields", {"from", "to"}}};
  if (is_share) domain = {0, 1};
  AddLength(draft, places, domain, draft.y, true);
  Json encode;
  PlaceBar(draft, places, 0, encode);
  Json bar = Bar(places, encode, Scaled(places.along, "from"), Scaled(places.along, "to"));
  bar["encode"]["update"]["stroke"] = Signal("paper");
  bar["encode"]["update"]["strokeWidth"] = Value(places.is_number ? 0 : 1);
  draft.AddMark(std::move(bar));
}

void AddBoxes(ChartDraft& draft) {
  if (draft.more.size() != 4) return draft.Fail("a chart of boxes needs five columns");
  draft.NeedNumber(draft.y, draft.chart.y_is_log);
  for (size_t column : draft.more) draft.NeedNumber(column, draft.chart.y_is_log);
  draft.AddGroups();
  const Places places = AddPlaces(draft, true);
  const size_t highest = draft.more[3];
  std::string names = draft.ColumnAt(draft.y).name;
  for (size_t column : draft.more) names += ", " + draft.ColumnAt(column).name;
  const std::string& unit = draft.ColumnAt(draft.y).unit;
  draft.result.y_label = unit.empty() ? names : StrCat(names, " (", unit, ")");
  AddLength(draft, places,
            {{"data", "table"}, {"fields", {draft.Field(draft.y), draft.Field(highest)}}}, highest,
            !draft.chart.y_is_log);
  Json whisker, box, middle;
  PlaceBar(draft, places, 0.48, whisker);
  PlaceBar(draft, places, 0.15, box);
  PlaceBar(draft, places, 0.15, middle);
  auto at = [&](size_t column) { return Scaled(places.along, draft.Field(column)); };
  draft.AddMark(Bar(places, whisker, at(draft.y), at(highest)));
  Json lower_to_upper = Bar(places, box, at(draft.more[0]), at(draft.more[2]));
  lower_to_upper["encode"]["update"]["cornerRadius"] = Value(1);
  draft.AddMark(std::move(lower_to_upper));
  Json line = at(draft.more[1]);
  line["offset"] = -1;
  Json line_end = at(draft.more[1]);
  line_end["offset"] = 1;
  Json mark = Bar(places, middle, line, line_end);
  mark["encode"]["update"]["fill"] = Signal("paper");
  draft.AddMark(std::move(mark));
}

void AddLines(ChartDraft& draft) {
  const Chart& chart = draft.chart;
  const bool is_steps = chart.kind == Chart::Kind::kSteps;
  draft.NeedNumber(draft.y, chart.y_is_log);
  draft.AddGroups();
  const std::vector<Json> values = draft.Distinct(draft.x);
  if (!draft.AddPlacesX(values, 0)) return;
  draft.AddNumberY("y", FieldOf("table", draft.Field(draft.y)), "height", true);
  draft.AddYAxis(draft.y);
  draft.AddXAxis();
  if (!draft.IsText(draft.x) && values.size() <= 12) draft.spec()["axes"].back()["values"] = values;
  draft.AddMark(LinesBy("table", draft.group ? "g0" : "g",
                        {{"x", Scaled("x", draft.Field(draft.x))},
                         {"y", Scaled("y", draft.Field(draft.y))},
                         {"stroke", GroupColor()},
                         {"strokeWidth", Value(is_steps ? 1.25 : 2)},
                         {"strokeJoin", Value("round")},
                         {"interpolate", Value(is_steps ? "step-after" : "linear")}}));
  const bool has_dots = !is_steps && draft.table.rows.size() <= 200;
  Json dots = Mark("symbol", "table",
                   {{"x", Scaled("x", draft.Field(draft.x))},
                    {"y", Scaled("y", draft.Field(draft.y))},
                    {"size", Value(36)},
                    {"fill", GroupColor()},
                    {"fillOpacity", Value(has_dots ? 1 : 0)},
                    {"tooltip", Signal("datum")}});
  dots["clip"] = !has_dots;
  draft.AddMark(Hovered(std::move(dots), 1));
}

}  // namespace tfrt::profiler
