#include "chart_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lib/profiler/figure_parts.h"
#include "number_text.h"
#include "tfrt/support/str_cat.h"

namespace tfrt::profiler {
namespace {

using Json = nlohmann::json;

// Names that objects of scripts have already: as keys they would change what all objects are.
constexpr std::string_view kTakenNames[] = {
    "__defineGetter__", "__defineSetter__", "__lookupGetter__",     "__lookupSetter__",
    "__proto__",        "constructor",      "hasOwnProperty",       "isPrototypeOf",
    "toLocaleString",   "toString",         "propertyIsEnumerable", "valueOf"};

// As the page makes categories of cells.
std::string CategoryOf(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    // A space without width makes them different.
    return std::ranges::find(kTakenNames, *text) == std::end(kTakenNames) ? *text
                                                                          : *text + "\u200b";
  }
  if (const auto* integer = std::get_if<int64_t>(&cell)) return StrCat(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return RealText(*real);
  return "-";
}

}  // namespace

Json Scaled(std::string_view scale, std::string_view field) {
  return {{"scale", scale}, {"field", field}};
}

Json Signal(std::string_view expression) { return {{"signal", expression}}; }

Json Value(Json value) { return {{"value", std::move(value)}}; }

Json FieldOf(std::string_view data, std::string_view field) {
  return {{"data", data}, {"field", field}};
}

Json GroupColor() { return Scaled("color", "g"); }

Json Mark(std::string_view type, std::string_view data, Json encoding) {
  return {
      {"type", type}, {"from", {{"data", data}}}, {"encode", {{"update", std::move(encoding)}}}};
}

Json Clipped(Json mark) {
  mark["clip"] = true;
  return mark;
}

Json Passive(Json mark) {
  mark["interactive"] = false;
  return mark;
}

Json Hovered(Json mark, Json opacity) {
  mark["encode"]["hover"] = {{"fillOpacity", Value(std::move(opacity))}};
  return mark;
}

Json LinesBy(std::string_view data, std::string_view field, Json line_encoding) {
  // Lines are clipped by the size of their group.
  return {
      {"type", "group"},
      {"from", {{"facet", {{"name", "line"}, {"data", data}, {"groupby", field}}}}},
      {"encode", {{"update", {{"width", Signal("width")}, {"height", Signal("height")}}}}},
      {"marks", Json::array({Passive(Clipped(Mark("line", "line", std::move(line_encoding))))})}};
}

Json PowersOfTen(double low, double high) {
  Json powers = Json::array();
  if (!(low > 0)) return powers;
  for (double exponent = std::ceil(std::log10(low)); exponent <= std::log10(high); ++exponent) {
    powers.push_back(std::pow(10, exponent));
  }
  return powers;
}

std::string AxisFormat(const ChartDraft& draft, size_t column) {
  if (draft.ColumnAt(column).kind == Column::Kind::kShare) return "~%";
  double largest = 0, smallest = INFINITY;
  for (double number : draft.Numbers(column)) {
    largest = std::max(largest, std::abs(number));
    if (number != 0) smallest = std::min(smallest, std::abs(number));
  }
  if (largest >= 1e5 && smallest >= 1) return "~s";
  return largest >= 1e7 || largest < 1e-4 ? "~g" : ",~r";
}

ChartDraft::ChartDraft(const Chart& chart, const Table& table) : chart(chart), table(table) {
  std::optional<size_t> x_column, y_column;
  NeedColumn(chart.x, "x", x_column);
  if (chart.kind != Chart::Kind::kHistogram) NeedColumn(chart.y, "y", y_column);
  if (!chart.group.empty()) NeedColumn(chart.group, "group", group);
  if (!chart.size.empty()) NeedColumn(chart.size, "size", size);
  if (!chart.until.empty()) NeedColumn(chart.until, "until", until);
  for (const std::string& name : chart.more) {
    std::optional<size_t> column;
    NeedColumn(name, "more", column);
    if (column) more.push_back(*column);
  }
  if (!problem_.empty()) return;
  x = *x_column;
  y = y_column.value_or(x);
  if (table.rows.empty()) {
    Fail("there are no rows");
    return;
  }
  spec() = {{"$schema", "https://vega.github.io/schema/vega/v5.json"},
            {"description", chart.title},
            {"width", 600},
            {"height", 240},
            {"padding", {{"left", 2}, {"right", 8}, {"top", 8}, {"bottom", 2}}},
            {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}},
            {"data", Json::array({{{"name", "table"}, {"transform", Json::array()}}})},
            {"scales", Json::array()},
            {"axes", Json::array()},
            {"marks", Json::array()}};
  for (const char* name : {"ink", "muted", "paper"}) AddSignal(name, "gray");
  AddSignal("palette", Json::array({"gray"}));
  AddSignal("hidden", Json::array());
  AddSignal("xdom", nullptr);
  AddSignal("brush", nullptr);
  AddSignal("room", 600);
}

void ChartDraft::AddSignal(std::string_view name, Json value) {
  spec()["signals"].push_back({{"name", name}, {"value", std::move(value)}});
}

void ChartDraft::AddData(std::string_view name, Json values) {
  spec()["data"].push_back({{"name", name}, {"values", std::move(values)}});
}

void ChartDraft::AddFilter(std::string_view expression) {
  AddTransform({{"type", "filter"}, {"expr", expression}});
}

void ChartDraft::AddFormula(std::string_view name, std::string_view expression) {
  AddTransform({{"type", "formula"}, {"as", name}, {"expr", expression}});
}

void ChartDraft::AddScale(std::string_view name, std::string_view type, Json domain, Json range,
                          Json more) {
  more.update(
      {{"name", name}, {"type", type}, {"domain", std::move(domain)}, {"range", std::move(range)}});
  spec()["scales"].push_back(std::move(more));
}

std::optional<size_t> ChartDraft::Find(std::string_view name) {
  for (size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].name == name) return c;
  }
  return std::nullopt;
}

void ChartDraft::NeedColumn(std::string_view name, std::string_view what,
                            std::optional<size_t>& column) {
  column = Find(name);
  if (!column && problem_.empty()) {
    problem_ = StrCat("table ", table.id, " has no column '", name, "' for ", what);
  }
}

ChartSpec ChartDraft::Finish() && {
  if (!problem_.empty()) {
    ChartSpec nothing;
    nothing.note = problem_;
    return nothing;
  }
  std::set<size_t> fields(more.begin(), more.end());
  fields.insert({x, y});
  for (const auto& column : {group, size, until}) {
    if (column) fields.insert(*column);
  }
  result.fields.assign(fields.begin(), fields.end());
  if (result.y_label.empty()) result.y_label = ColumnLabel(ColumnAt(y));
  return std::move(result);
}

bool ChartDraft::IsText(size_t column) const {
  return ColumnAt(column).kind == Column::Kind::kText;
}

std::string ChartDraft::Field(size_t column) { return StrCat("c", column); }

std::string ChartDraft::Datum(size_t column) { return StrCat("datum.c", column); }

std::vector<double> ChartDraft::Numbers(size_t column) const {
  std::vector<double> numbers;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    if (auto number = NumberIn(CellAt(table, row, column))) numbers.push_back(*number);
  }
  return numbers;
}

std::string ChartDraft::CategoryAt(size_t row, size_t column) const {
  return CategoryOf(CellAt(table, row, column));
}

std::vector<std::string> ChartDraft::DistinctTexts(size_t column) const {
  std::vector<std::string> texts;
  std::set<std::string, std::less<>> known;
  for (size_t row = 0; row < table.rows.size(); ++row) {
    std::string text = CategoryAt(row, column);
    if (known.insert(text).second) texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<Json> ChartDraft::Distinct(size_t column) const {
  if (IsText(column)) {
    std::vector<std::string> texts = DistinctTexts(column);
    return {texts.begin(), texts.end()};
  }
  std::vector<double> numbers = Numbers(column);
  std::ranges::sort(numbers);
  const auto repeated = std::ranges::unique(numbers);
  numbers.erase(repeated.begin(), repeated.end());
  return {numbers.begin(), numbers.end()};
}

bool ChartDraft::HasRepeatedX() const { return Distinct(x).size() < table.rows.size(); }

void ChartDraft::NeedNumber(size_t column, bool is_log) {
  std::string expression = StrCat("isNumber(", Datum(column), ")");
  if (is_log) expression += StrCat(" && ", Datum(column), " > 0");
  AddFilter(expression);
  needed_.emplace_back(column, is_log);
  for (size_t row = 0; row < table.rows.size(); ++row) {
    const bool has_all = std::ranges::all_of(needed_, [&](const auto& need) {
      const std::optional<double> number = NumberIn(CellAt(table, row, need.first));
      return number && (!need.second || *number > 0);
    });
    if (has_all) return;
  }
  if (problem_.empty()) Fail("there are no numbers to show");
}

void ChartDraft::AddGroups() {
  std::vector<std::string> names;
  if (group) {
    const Column::Kind kind = ColumnAt(*group).kind;
    if (kind == Column::Kind::kReal || kind == Column::Kind::kShare) {
      return Fail(StrCat("the groups of a chart are texts or integers, and '",
                         ColumnAt(*group).name, "' is neither"));
    }
    names = DistinctTexts(*group);
    if (names.size() > kMaxGroups) {
      std::map<std::string, double, std::less<>> sums;
      for (size_t row = 0; row < table.rows.size(); ++row) {
        sums[CategoryAt(row, *group)] += std::abs(NumberIn(CellAt(table, row, y)).value_or(1));
      }
      std::vector<std::string> largest = names;
      std::ranges::stable_sort(largest, std::greater<>(),
                               [&](const std::string& name) { return sums[name]; });
      const std::set<std::string> kept(largest.begin(), largest.begin() + kMaxGroups);
      std::erase_if(names, [&](const std::string& name) { return !kept.contains(name); });
      names.emplace_back(kOtherGroups);
    }
    AddSignal("groups", names);
    AddFormula("g", "indexof(groups, datum.g0) >= 0 ? datum.g0 : groups[length(groups) - 1]");
    AddFilter("indexof(hidden, datum.g) < 0");
    result.group_label = ColumnAt(*group).name;
  } else {
    names = {""};
    AddFormula("g", "''");
  }
  AddScale("color", "ordinal", names, Signal("palette"));
  if (group) result.groups = std::move(names);
}

bool ChartDraft::AddPlacesX(const std::vector<Json>& values, double margin_share) {
  if (IsText(x)) {
    AddScale("x", "point", values, "width", {{"padding", 0.5}});
    return true;
  }
  NeedNumber(x, chart.x_is_log);
  if (values.empty()) {
    Fail("there are no numbers to show");
    return false;
  }
  const double first = values.front().get<double>(), last = values.back().get<double>();
  const double margin = chart.x_is_log ? 0 : (last - first) * margin_share;
  AddNumberX(first - margin, last + margin, chart.x_is_log);
  AddBands();
  return true;
}

void ChartDraft::AddNumberX(double begin, double end, bool is_log) {
  if (is_log) {
    begin = begin > 0 ? begin : end / 10;
    const double margin = std::pow(end / begin, 0.03);
    begin /= margin, end *= margin;
    if (begin == end) begin /= 2, end *= 2;
  } else if (begin == end) {
    begin -= 0.5, end += 0.5;
  }
  AddScale("x", is_log ? "log" : "linear", {begin, end}, "width",
           {{"domainRaw", Signal("xdom")}, {"zero", false}, {"nice", false}});
  result.can_zoom = true;
  // Shows the area that the reader marks, to zoom into it.
  AddMark({{"type", "rect"},
           {"interactive", false},
           {"encode",
            {{"update",
              {{"x", Signal("brush ? brush[0] : 0")},
               {"x2", Signal("brush ? brush[1] : 0")},
               {"y", Value(0)},
               {"y2", Signal("height")},
               {"fill", Signal("ink")},
               {"fillOpacity", Value(0.1)}}}}}});
}

void ChartDraft::AddNumberY(std::string_view scale, Json domain, Json range, bool has_zero) {
  const bool is_log = chart.y_is_log;
  AddScale(scale, is_log ? "log" : "linear", std::move(domain), std::move(range),
           is_log ? Json{{"nice", true}} : Json{{"nice", true}, {"zero", has_zero}});
}

void ChartDraft::AddXAxis() {
  Json axis = {{"scale", "x"},
               {"orient", "bottom"},
               {"title", ColumnLabel(ColumnAt(x))},
               {"labelOverlap", true}};
  if (IsText(x)) {
    axis["labelLimit"] = Signal("max(40, width / domain('x').length - 8)");
  } else {
    axis.update({{"format", AxisFormat(*this, x)},
                 {"labelFlush", true},
                 {"tickCount", Signal("max(2, ceil(width / 80))")}});
  }
  AddAxis(std::move(axis));
}

void ChartDraft::AddYAxis(size_t column) {
  Json axis = {{"scale", "y"},         {"orient", "left"}, {"grid", true},
               {"domain", false},      {"ticks", false},   {"format", AxisFormat(*this, column)},
               {"labelOverlap", true}, {"tickCount", 5}};
  const bool is_log = chart.y_is_log || chart.kind == Chart::Kind::kRoofline;
  std::vector<double> numbers = Numbers(column);
  const std::vector<double> others = Numbers(y);
  numbers.insert(numbers.end(), others.begin(), others.end());
  std::erase_if(numbers, [](double number) { return number <= 0; });
  if (is_log && !numbers.empty()) {
    const Json powers = PowersOfTen(std::ranges::min(numbers) / 10, std::ranges::max(numbers) * 10);
    // Smaller ticks would fill the chart with lines.
    if (std::ranges::max(numbers) / std::ranges::min(numbers) > 9) axis["values"] = powers;
  }
  AddAxis(std::move(axis));
}

void ChartDraft::AddBands() {
  if (chart.bands.empty()) return;
  Json bands = Json::array();
  for (const Chart::Band& band : chart.bands) {
    bands.push_back(
        {{"name", band.name}, {"a", band.begin}, {"b", band.end}, {"odd", bands.size() % 2}});
  }
  AddData("bands", bands);
  spec()["padding"]["top"] = 22;
  const std::string left = "clamp(scale('x', datum.a), 0, width)";
  const std::string right = "clamp(scale('x', datum.b), 0, width)";
  AddMark(Passive(Mark("rect", "bands",
                       {{"x", Signal(left)},
                        {"x2", Signal(right)},
                        {"y", Value(-16)},
                        {"y2", Signal("height")},
                        {"fill", Signal("muted")},
                        {"fillOpacity", Signal("datum.odd ? 0.04 : 0.1")}})));
  AddMark(Passive(Mark("text", "bands",
                       {{"x", Signal(left + " + 5")},
                        {"y", Value(-4)},
                        {"text", {{"field", "name"}}},
                        {"limit", Signal(StrCat("max(1, ", right, " - ", left, " - 8)"))},
                        {"fill", Signal("muted")}})));
}

}  // namespace tfrt::profiler
